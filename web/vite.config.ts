import { defineConfig } from "vitest/config";
import { oneFile } from "./one_file";

export default defineConfig({
  plugins: [oneFile()],
  build: {
    target: "es2021",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
  test: { include: ["test/**/*.test.ts"] },
});
