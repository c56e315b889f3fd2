// The licences of the JavaScript that is built into the page, as the packages themselves state
// them. `node licences.js --write` writes LICENSES.md; the tests say when it is out of date.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("./", import.meta.url);

/** @param {string} id a module's path @returns {string | null} the package it belongs to */
export function packageOf(id) {
  const found = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id);
  return found?.[1] ?? null;
}

/** @param {string} name @returns {any} its package.json */
function manifest(name) {
  const folder = name === "" ? "package.json" : `node_modules/${name}/package.json`;
  return JSON.parse(readFileSync(new URL(folder, ROOT), "utf8"));
}

/** @returns {string[]} every package that the page may hold: the dependencies, and theirs */
function embeddedPackages() {
  const found = new Set();
  const open = Object.keys(manifest("").dependencies);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...Object.keys(manifest(name).dependencies ?? {}));
  }
  return [...found].sort();
}

/** @param {string} name @returns {string[]} paths of the texts that have to go with it */
function licenceFiles(name) {
  const folder = new URL(`node_modules/${name}/`, ROOT);
  const files = readdirSync(folder).filter((file) => /^(LICEN[CS]E|NOTICE)(\..*)?$/i.test(file));
  const further = new URL("licenses/", folder);
  const more = existsSync(further) ? readdirSync(further).map((file) => `licenses/${file}`) : [];
  return [...files, ...more].sort().map((file) => fileURLToPath(new URL(file, folder)));
}

/** @returns {string} what LICENSES.md has to say */
export function licencesText() {
  const parts = embeddedPackages().map((name) => {
    const { version, license } = manifest(name);
    const texts = licenceFiles(name).map((file) => readFileSync(file, "utf8"));
    if (texts.length === 0) throw new Error(`${name} comes without the text of its licence`);
    const tidy = texts.map((text) => text.replace(/\t/g, "    ").replace(/[ \r]+$/gm, "").trim());
    return `\n## ${name} ${version}, ${license}\n\n\`\`\`\n${tidy.join("\n\n")}\n\`\`\`\n`;
  });
  return `# Licences of what is built into the page\n${parts.join("")}`;
}

if (process.argv.includes("--write")) {
  writeFileSync(new URL("LICENSES.md", ROOT), licencesText());
}
