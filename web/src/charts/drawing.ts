// A figure, ready to be drawn.
import type { ChartOption } from "./engine";

export interface Drawing {
  option: ChartOption;
  /** What the figure shows, in words, for those who do not see it. */
  label: string;
  /** A remark under the figure, such as what lies beyond its axes. */
  note: string | null;
  /** The height that it asks for, in lines of text; 0 where any height will do. */
  lines: number;
}
