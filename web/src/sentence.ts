// Sentences with names in them, which the page sets apart.
import { breakable, element } from "./dom";

export interface Name {
  name: string;
}
export type Sentence = readonly (string | Name)[];

/** say`With ${named(agent)} it took ${count}.` */
export function say(strings: TemplateStringsArray, ...parts: (string | Name | Sentence)[]):
  Sentence {
  return strings.flatMap((text, index) => {
    const part = parts[index];
    if (part === undefined) return [text];
    return typeof part === "string" || "name" in part ? [text, part] : [text, ...part];
  });
}

export function named(name: string): Name {
  return { name };
}

/** `sentences` with `separator` between them, and `last` before the last. */
export function joined(sentences: readonly Sentence[], separator: string, last = separator):
  Sentence {
  return sentences.flatMap((sentence, index) => {
    if (index === 0) return [...sentence];
    return [index === sentences.length - 1 ? last : separator, ...sentence];
  });
}

export function textOf(sentence: Sentence): string {
  return sentence.map((part) => (typeof part === "string" ? part : part.name)).join("");
}

export function elementsOf(sentence: Sentence): (HTMLElement | string)[] {
  return sentence.map((part) =>
    typeof part === "string" ? part : element("span", { class: "name" }, breakable(part.name)));
}
