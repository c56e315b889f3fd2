import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { licencesText, packageOf } from "../licences.js";
import { insideTag } from "../one_file";

describe("licences", () => {
  it("are those of the packages that are installed", () => {
    const written = readFileSync(new URL("../LICENSES.md", import.meta.url), "utf8");
    expect(written, "out of date; run `npm run licences`").toBe(licencesText());
  });
  it("name every package that the page depends on, with its text", () => {
    const text = licencesText();
    for (const part of ["## echarts 6", "## zrender 6", "## tslib 2", "Apache License",
      "Redistribution and use in source and binary forms", "Apache ECharts"]) {
      expect(text).toContain(part);
    }
  });
  it("are found by the path of a module", () => {
    expect(packageOf("/a/node_modules/echarts/lib/x.js")).toBe("echarts");
    expect(packageOf("/a/node_modules/@scope/name/x.js")).toBe("@scope/name");
    expect(packageOf("/a/src/x.ts")).toBeNull();
  });
});

describe("the one file", () => {
  it("holds no text that would end its tags early", () => {
    expect(insideTag('"</script>"', "script")).toBe('"<\\/script>"');
    expect(insideTag('"<!--"', "script")).toBe('"\\x3C!--"');
    expect(insideTag("a < b", "script")).toBe("a < b");
  });
});

describe("the lock file", () => {
  it("names no host that packages come from", () => {
    const lock = readFileSync(new URL("../package-lock.json", import.meta.url), "utf8");
    expect(lock).not.toContain('"resolved"');
  });
});
