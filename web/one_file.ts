// A Vite plugin: puts the script and the style of the page into the page, so that the build is one
// file that needs nothing else. It also refuses to embed a package that LICENSES.md does not name.
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { packageOf } from "./licences.js";

const LICENCES = new URL("./LICENSES.md", import.meta.url);

/** JavaScript or CSS that may stand between the tags of an HTML file: nothing in it closes them. */
export function insideTag(text: string, tag: "script" | "style"): string {
  return text.replace(new RegExp(`</(?=${tag})`, "gi"), "<\\/").replace(/<!--/g, "\\x3C!--");
}

function refuseUnnamed(modules: string[]): void {
  const named = readFileSync(LICENCES, "utf8");
  for (const name of new Set(modules.map(packageOf))) {
    if (name !== null && !named.includes(`\n## ${name} `)) {
      throw new Error(`LICENSES.md does not name ${name}; run \`npm run licences\``);
    }
  }
}

export function oneFile(): Plugin {
  return {
    name: "handrail-one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("the build has no index.html");
      let html = String(page.source);
      for (const [file, part] of Object.entries(bundle)) {
        if (part === page) continue;
        const style = part.type === "asset" && file.endsWith(".css");
        if (part.type === "asset" && !style) throw new Error(`${file} cannot be put into the page`);
        if (part.type === "chunk") refuseUnnamed(Object.keys(part.modules));
        const reference = style
          ? new RegExp(`<link[^>]*href="[^"]*${file}"[^>]*>`)
          : new RegExp(`<script[^>]*src="[^"]*${file}"[^>]*></script>`);
        if (!reference.test(html)) throw new Error(`index.html does not use ${file}`);
        const inline =
          part.type === "asset"
            ? `<style>${insideTag(String(part.source), "style")}</style>`
            : `<script type="module">${insideTag(part.code, "script")}</script>`;
        // The script has to stand behind the report that it reads; a module waits for it anyway.
        html = html.replace(reference, () => inline);
        delete bundle[file];
      }
      page.source = html;
    },
  };
}
