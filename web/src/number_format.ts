// Numbers for people: three significant digits, narrow spaces between thousands, a real minus sign.

const NARROW_SPACE = "\u202f";
const MINUS = "\u2212";
export const ABSENT = "\u2013";

function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const spaced = whole.replace(/\B(?=(\d{3})+(?!\d))/g, NARROW_SPACE);
  return fraction === undefined ? spaced : `${spaced}.${fraction}`;
}

function signed(value: number, text: string): string {
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

function superscript(exponent: number): string {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const text = String(Math.abs(exponent)).replace(/\d/g, (digit) => digits[Number(digit)] ?? "");
  return (exponent < 0 ? "⁻" : "") + text;
}

/** A measured number with `digits` significant digits; "–" for none. */
export function number(value: number | null, digits = 3): string {
  if (value === null || !Number.isFinite(value)) return ABSENT;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) {
    const [mantissa = "", exponent = "0"] = size.toExponential(digits - 1).split("e");
    return signed(value, `${trimmed(mantissa)}${NARROW_SPACE}×${NARROW_SPACE}10`) +
      superscript(Number(exponent));
  }
  const rounded = Number(size.toPrecision(digits));
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(rounded)));
  return signed(value, grouped(rounded.toFixed(decimals)));
}

function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A number somebody chose, such as an axis tick or α: no digits that were not meant. */
export function chosen(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return ABSENT;
  const text = number(value, 6);
  return text.includes("×") ? text : trimmed(text);
}

/** A count, with every digit; means of counts lose their fraction. */
export function count(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return ABSENT;
  return signed(value, grouped(Math.abs(value).toFixed(0)));
}

/** A share as per cent: "0 %" and "100 %" are only said of what is exactly that. */
export function percent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return ABSENT;
  const value = share * 100;
  if (value === 0 || value === 100) return `${value}${NARROW_SPACE}%`;
  if (value > 0 && value < 0.01) return `<${NARROW_SPACE}0.01${NARROW_SPACE}%`;
  if (value > 99.9 && value < 100) return `>${NARROW_SPACE}99.9${NARROW_SPACE}%`;
  return `${number(value, Math.abs(value) < 1 ? 2 : 3)}${NARROW_SPACE}%`;
}

/** A share that somebody chose, such as δ or an axis tick, as per cent. */
export function chosenPercent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return ABSENT;
  return `${chosen(Number((share * 100).toPrecision(6)))}${NARROW_SPACE}%`;
}

/** "412 ± 12": the error with two digits, the mean to the same place. */
export function withError(mean: number | null, error: number | null): string {
  if (mean === null || error === null || !(error > 0)) return number(mean);
  const place = Math.max(0, 1 - Math.floor(Math.log10(error)));
  const large = Math.abs(mean) >= 1e7 || error < 1e-4;
  if (large || place > 6) return `${number(mean)} ± ${number(error, 2)}`;
  const fixed = (value: number) => signed(value, grouped(Math.abs(value).toFixed(place)));
  return `${fixed(mean)} ± ${fixed(error)}`;
}

/** "12.3 s", "4 min 10 s", "2 h 5 min". */
export function duration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return ABSENT;
  if (seconds < 60) return `${number(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "3 runs", "1 run". */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** "a", "a and b", "a, b and c". */
export function enumerated(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
