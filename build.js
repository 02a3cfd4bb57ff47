// Bundles all JavaScript: `npm run build`, or with --check compares with what is committed.
// The bundles are committed, so the app runs without node. Names are kept and lines are
// short, so that a stack trace and a merge can be read.

import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";

/** Modules with a default export, which Streamlit calls; others are parts of them. @param {string} folder */
function components(folder) {
  const modules = globSync(`${folder}/**/*.js`, { exclude: (path) => /\bdist$/.test(path) });
  return modules.filter((path) => /^export default /m.test(readFileSync(path, "utf-8"))).sort();
}

const PACKAGES = [
  { outdir: "stage/dist", entryPoints: ["code", "load", "link", "moments"].map((name) => `stage/js/${name}.js`) },
  { outdir: "pages/_parts/dist", entryPoints: components("pages") },
];
const CHECK = process.argv.includes("--check");
const stale = [];

for (const { outdir, entryPoints } of PACKAGES) {
  const made = await build({
    // By name alone: a component may move to another folder.
    entryPoints: entryPoints.map((path) => ({ in: path, out: basename(path, ".js") })),
    outdir,
    bundle: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    loader: { ".css": "text", ".html": "text" },
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 120,
    legalComments: "none",
    banner: { js: "// Made by `npm run build`: change the sources and build again." },
    write: !CHECK,
    logLevel: "warning",
  });
  for (const { path, contents } of made.outputFiles ?? []) {
    if (!existsSync(path) || !readFileSync(path).equals(contents)) stale.push(path);
  }
}
if (stale.length) {
  console.error(`Not what the sources make, run \`npm run build\`:\n${stale.join("\n")}`);
  process.exitCode = 1;
}
