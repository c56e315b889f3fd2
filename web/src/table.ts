// Tables that can be sorted by a column and scroll in a box of their own.
import { breakable, element, type Child } from "./dom";

export interface Column<Row> {
  title: string;
  /** What the column means, where its title does not say all. */
  hint?: string;
  show: (row: Row) => Child;
  /** What rows are ordered by; a row without a value comes last either way. */
  order?: (row: Row) => number | string | null;
  isText?: boolean;
}

type Direction = "ascending" | "descending";

function compare(a: number | string | null, b: number | string | null, sign: number): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  if (typeof a === "string" || typeof b === "string") {
    return sign * String(a).localeCompare(String(b));
  }
  return sign * (a - b);
}

/** `rows` in order; those that compare equal stay as they were. */
export function sorted<Row>(rows: readonly Row[], order: (row: Row) => number | string | null,
                            direction: Direction): Row[] {
  const sign = direction === "ascending" ? 1 : -1;
  return [...rows].sort((a, b) => compare(order(a), order(b), sign));
}

function body<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): HTMLElement[] {
  return rows.map((row) => element("tr", {}, ...columns.map((column, index) => {
    const kind = column.isText === true ? "text" : "number";
    const content = column.show(row);
    return index === 0
      ? element("th", { scope: "row", class: kind }, content)
      : element("td", { class: kind }, content);
  })));
}

function heading<Row>(column: Column<Row>, onSort: () => void): HTMLElement {
  const attributes: Record<string, string> = {
    scope: "col", class: column.isText === true ? "text" : "number",
  };
  if (column.hint !== undefined) attributes.title = column.hint;
  if (column.order === undefined) return element("th", attributes, breakable(column.title));
  const button = element("button", { type: "button", class: "sort" }, breakable(column.title));
  button.addEventListener("click", onSort);
  return element("th", attributes, button);
}

/** The table in its box. `caption` also names the box for those who cannot see it. */
export function table<Row>(caption: string, columns: readonly Column<Row>[],
                           rows: readonly Row[]): HTMLElement {
  const content = element("tbody", {}, ...body(columns, rows));
  const headings: HTMLElement[] = [];
  const sortBy = (column: Column<Row>, place: number) => {
    const head = headings[place];
    if (head === undefined || column.order === undefined) return;
    const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    headings.forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", direction);
    content.replaceChildren(...body(columns, sorted(rows, column.order, direction)));
  };
  columns.forEach((column, place) => {
    headings.push(heading(column, () => sortBy(column, place)));
  });
  const made = element("table", {},
    element("caption", {}, caption), element("thead", {}, element("tr", {}, ...headings)), content);
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    made);
}
