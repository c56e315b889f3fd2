// Reads the report out of the page and shows it, or leaves its figures behind for the program.
import "./style.css";
import { Comparison } from "./comparison";
import { exportFigures, exportFormat } from "./figure_export";
import { Page } from "./page";
import { readReport } from "./report_input";

declare global {
  interface Window {
    /** For tests and tools: draws every chart of the page at once. */
    handrailDrawAll?: () => void;
  }
}

function start(): void {
  const source = document.getElementById("handrail-report")?.textContent ?? "";
  const root = document.getElementById("report");
  if (root === null) throw new Error("the page has no place for the report");
  const comparison = new Comparison(readReport(source));
  const format = exportFormat(window.location.hash);
  if (format !== null) {
    void exportFigures(comparison, format);
    return;
  }
  const page = new Page(comparison, root);
  window.handrailDrawAll = () => page.drawAll();
  if (new URLSearchParams(window.location.search).has("all")) page.drawAll();
}

start();
