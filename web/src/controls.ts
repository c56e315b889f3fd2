// The row of choices above the figures.
import type { Band, Scale, View } from "./charts/view";
import { element } from "./dom";
import { chosen } from "./number_format";

interface Choice<Value> {
  value: Value;
  text: string;
}

// Radio buttons that look like one strip: the keyboard and screen readers know them already.
function strip<Value>(name: string, title: string, choices: readonly Choice<Value>[],
                      current: Value, onChoice: (value: Value) => void): HTMLElement {
  const options = choices.map(({ value, text }, index) => {
    const input = element("input", {
      type: "radio", name, id: `${name}-${index}`, value: String(value),
    });
    input.checked = value === current;
    input.addEventListener("change", () => onChoice(value));
    return element("label", { for: `${name}-${index}` }, input, element("span", {}, text));
  });
  return element("fieldset", { class: "strip" }, element("legend", {}, title), ...options);
}

const BANDS: readonly Choice<Band>[] = [
  { value: "stderr", text: "± 2 s.e." },
  { value: "quantiles", text: "5–95 %" },
  { value: "none", text: "none" },
];
const SCALES: readonly Choice<Scale>[] = [
  { value: "linear", text: "linear" },
  { value: "log", text: "log" },
];

export function controls(alphas: readonly number[], view: View,
                         onChange: (change: Partial<View>) => void): HTMLElement {
  const alphaChoices = [...alphas].sort((a, b) => a - b)
    .map((alpha) => ({ value: alpha, text: chosen(alpha) }));
  return element("form", { class: "controls", "aria-label": "What the figures show" },
    alphas.length > 1
      ? strip("alpha", "α", alphaChoices, view.alpha, (alpha) => onChange({ alpha }))
      : null,
    strip("band", "band", BANDS, view.band, (band) => onChange({ band })),
    strip("regret-scale", "regret", SCALES, view.regretScale,
      (regretScale) => onChange({ regretScale })),
    strip("rounds-scale", "rounds", SCALES, view.roundsScale,
      (roundsScale) => onChange({ roundsScale })));
}
