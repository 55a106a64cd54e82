// Makes index.html, app.css and app.js of the sources, with what is loaded when it is needed (a language, what operators
// see, QR codes) in files of their own: `node build.mjs [FOLDER]`, ../built when none is named. The same sources and
// packages give the same bytes on every machine.
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, "../built"));
const bundled = ["preact", "@preact/signals", "@preact/signals-core", "uqr"];

await mkdir(folder, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: folder,
  bundle: true,
  splitting: true,
  chunkNames: "[name]",
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
});
await copyFile(join(here, "index.html"), join(folder, "index.html"));

const licenses = [];
for (const name of bundled) {
  const home = join(here, "node_modules", name);
  const { version } = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
  licenses.push(`${name} ${version}\n\n${(await readFile(join(home, "LICENSE"), "utf8")).trim()}\n`);
}
await writeFile(join(folder, "LICENSES"), `What app.js has of others.\n\n${licenses.join("\n\n")}`);
