// What the reader has chosen to see.

export type Band = "stderr" | "quantiles" | "none";
export type Scale = "linear" | "log";

export interface View {
  alpha: number;
  band: Band;
  roundsScale: Scale;
  regretScale: Scale;
  hidden: ReadonlySet<string>;
}
