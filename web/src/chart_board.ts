// Keeps the charts of the page: draws each when it comes into sight, again when the view changes,
// and all of them when somebody asks.
import { liveChart, type Chart } from "./charts/engine";
import type { Drawing } from "./charts/drawing";
import type { Look } from "./charts/look";

export interface Slot {
  canvas: HTMLElement;
  draw: (look: Look) => Drawing;
  onDrawn: (drawing: Drawing) => void;
}

interface Entry {
  slot: Slot;
  chart: Chart | null;
  isStale: boolean;
  isNear: boolean;
}

// How far below the screen a chart is drawn ahead, so that scrolling shows no empty frames.
const AHEAD = "400px";

export class ChartBoard {
  private readonly entries = new Map<Element, Entry>();
  private readonly nearness: IntersectionObserver;
  private readonly sizes: ResizeObserver;
  private look: Look;

  constructor(look: Look) {
    this.look = look;
    this.nearness = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) {
        const entry = this.entries.get(target);
        if (entry === undefined) continue;
        entry.isNear = isIntersecting;
        if (isIntersecting) this.refresh(entry);
      }
    }, { rootMargin: AHEAD });
    this.sizes = new ResizeObserver((changed) => {
      for (const { target } of changed) this.resize(this.entries.get(target));
    });
  }

  add(slot: Slot): void {
    this.entries.set(slot.canvas, { slot, chart: null, isStale: true, isNear: false });
    this.nearness.observe(slot.canvas);
    this.sizes.observe(slot.canvas);
  }

  /** Everything has changed: what can be seen is drawn now, the rest when it comes into sight. */
  redraw(look: Look): void {
    this.look = look;
    for (const entry of this.entries.values()) {
      entry.isStale = true;
      if (entry.isNear) this.refresh(entry);
    }
  }

  /** Draws whatever is not drawn yet. */
  drawAll(): void {
    for (const entry of this.entries.values()) this.refresh(entry);
  }

  private refresh(entry: Entry): void {
    // What is hidden has no size to be drawn in; it comes into sight when it is shown.
    if (!entry.isStale || entry.slot.canvas.clientWidth === 0) return;
    entry.isStale = false;
    const { slot } = entry;
    const drawing = slot.draw({ ...this.look, width: slot.canvas.clientWidth });
    slot.canvas.style.setProperty("--lines", String(drawing.lines));
    entry.chart ??= liveChart(slot.canvas);
    entry.chart.resize();
    entry.chart.setOption(drawing.option, { notMerge: true });
    slot.onDrawn(drawing);
    this.rescale(entry);
  }

  private resize(entry: Entry | undefined): void {
    if (entry?.chart == null || entry.chart.getWidth() === entry.slot.canvas.clientWidth) return;
    entry.isStale = true;
    if (entry.isNear) this.refresh(entry);
  }

  // With a view box, a printed page can scale the drawing to the width of the paper.
  private rescale({ chart, slot }: Entry): void {
    if (chart === null) return;
    slot.canvas.querySelector("svg")
      ?.setAttribute("viewBox", `0 0 ${chart.getWidth()} ${chart.getHeight()}`);
  }
}
