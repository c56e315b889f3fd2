// Elements made from names, attributes and text. Text is always text, whatever signs it holds.

export type Child = Node | string | null;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name, attributes: Record<string, string> = {}, ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child): child is Node | string => child !== null));
  return made;
}

// A longer piece would not fit a narrow screen in one line.
const LONGEST_PIECE = 24;

/** Text that is broken behind a comma or a colon, where a long SPEC reads best, and not at a
 * hyphen. */
export function breakable(text: string): DocumentFragment {
  const made = document.createDocumentFragment();
  text.split(/(?<=[,:|/ ])/).forEach((piece, index) => {
    if (index > 0) made.append(element("wbr"));
    made.append(piece.length > LONGEST_PIECE ? piece : element("span", { class: "piece" }, piece));
  });
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

export function svgElement(
  name: string, attributes: Record<string, string | number>, ...children: Node[]
): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}
