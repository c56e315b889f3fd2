import { describe, expect, it } from "vitest";
import { chosen, chosenPercent, count, counted, duration, number, percent, withError }
  from "../src/number_format";

const plain = (text: string) => text.replace(/\u202f/g, " ").replace("\u2212", "-");

describe("number", () => {
  it("keeps three significant digits", () => {
    const texts = [0, 1, 12.345, 123.45, 1234.5, 99999, 0.012345, 0.00012345, -1234.5];
    expect(texts.map((value) => plain(number(value)))).toEqual(
      ["0", "1.00", "12.3", "123", "1 230", "100 000", "0.0123", "0.000123", "-1 230"]);
  });
  it("does not lose a digit where rounding adds one", () => {
    expect(plain(number(9.996))).toBe("10.0");
    expect(plain(number(0.9996))).toBe("1.00");
  });
  it("writes very large and very small numbers with a power of ten", () => {
    expect(plain(number(1.5e9))).toBe("1.5 × 10⁹");
    expect(plain(number(-2e-7))).toBe("-2 × 10⁻⁷");
  });
  it("has a dash for what is not known", () => {
    expect([number(null), number(NaN), count(null), percent(null)]).toEqual(["–", "–", "–", "–"]);
  });
});

describe("chosen", () => {
  it("adds no digits that nobody meant", () => {
    expect([0.1, 0.05, 1, 1.1, 2000, 0].map((value) => plain(chosen(value)))).toEqual(
      ["0.1", "0.05", "1", "1.1", "2 000", "0"]);
    expect(plain(chosenPercent(0.07))).toBe("7 %");
  });
});

describe("percent", () => {
  it("says 0 and 100 only of what is exactly that", () => {
    expect([0, 1, 0.00001, 0.99999, 0.5, 0.0453].map((value) => plain(percent(value)))).toEqual(
      ["0 %", "100 %", "< 0.01 %", "> 99.9 %", "50.0 %", "4.53 %"]);
  });
});

describe("withError", () => {
  it("gives the error two digits and the mean the same place", () => {
    expect(plain(withError(1234.567, 12.3))).toBe("1 235 ± 12");
    expect(plain(withError(0.12345, 0.0123))).toBe("0.123 ± 0.012");
    expect(plain(withError(12, null))).toBe("12.0");
    expect(plain(withError(12, 0))).toBe("12.0");
    expect(plain(withError(null, 1))).toBe("–");
  });
});

describe("words", () => {
  it("count things", () => {
    expect(counted(1, "run")).toBe("1 run");
    expect(plain(counted(10000, "round"))).toBe("10 000 rounds");
    expect([3.21, 250, 7500].map(duration)).toEqual(["3.21 s", "4 min 10 s", "2 h 5 min"]);
  });
});
