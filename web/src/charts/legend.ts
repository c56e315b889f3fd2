// The legend of a figure that stands alone, and the room it takes.
import { shortName } from "./common";
import type { Look } from "./look";

const SWATCH = 34;
const GAP = 22;
const LONGEST_NAME = 60;
const AVERAGE_LETTER = 0.56;  // of the font size, in the fonts of look.ts

export function legendHeight(names: readonly string[], look: Look): number {
  if (!look.standsAlone) return 0;
  let rows = 1;
  let used = 0;
  for (const name of names) {
    const letters = shortName(name, LONGEST_NAME).length;
    const width = SWATCH + GAP + letters * look.fontSize * AVERAGE_LETTER;
    if (used > 0 && used + width > look.width - 40) {
      rows += 1;
      used = 0;
    }
    used += width;
  }
  return rows * (look.fontSize + 11) + 8;
}

export function legend(names: readonly string[], look: Look): Record<string, unknown> {
  return {
    show: look.standsAlone,
    data: [...names],
    bottom: 6,
    left: "center",
    width: look.width - 40,
    itemWidth: SWATCH,
    itemHeight: 10,
    itemGap: GAP,
    formatter: (name: string) => shortName(name, LONGEST_NAME),
    textStyle: { color: look.ink, fontSize: look.fontSize, fontFamily: look.font },
    lineStyle: { width: look.lineWidth },
    itemStyle: { opacity: 0 },  // the line alone: its dots are only under the pointer
  };
}
