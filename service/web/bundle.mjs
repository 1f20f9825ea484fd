// Bundles the pages and the scripts of the documentation: `node bundle.mjs FOLDER DIGEST`.
//
// How this works. Each page is bundled separately: on a slow network it loads one module, one style
// sheet and the small modules that it shares with its `import()`s, all named in its document. All
// files of the pages lie in one folder, so a file's name is its address relative to every other
// file. DIGEST identifies the sources; `manifest.json` keeps it and is written last.
import { build } from "esbuild";
import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";

const HERE = import.meta.dirname;
const STATIC = join(HERE, "static");
const DOCUMENTATION = join(HERE, "../api/docs");
const CLIENT = join(HERE, "../../openapi/clients/javascript/source/index.js");
const PAGES = ["phone", "replay", "watch"];
const COPIED = [".png", ".svg", ".webmanifest"];
const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const NOTICE = /^(?:licen[cs]e|notice)(?:\.\w+)?$/i;
const OPTIONS = {
  absWorkingDir: HERE,
  bundle: true,
  splitting: true,
  format: "esm",
  target: "esnext",
  minify: true,
  legalComments: "none",
  banner: { js: "/* The licenses of the packages within: licenses.txt */" },
  alias: { warlog: CLIENT },
  tsconfigRaw: "{}",
  nodePaths: [join(HERE, "node_modules")],
  metafile: true,
  logLevel: "silent",
};

/** Bundle modules by name into a folder; what esbuild shows of it. */
async function bundled(entryPoints, outdir) {
  const { metafile } = await build({ ...OPTIONS, entryPoints, outdir });
  const outputs = Object.entries(metafile.outputs).map(([path, each]) => [basename(path), each]);
  return { inputs: Object.keys(metafile.inputs), outputs: new Map(outputs) };
}

/** What the document of a page names: its module, its style sheet, the modules loaded with it. */
function page(name, outputs) {
  const module = `${name}.js`;
  const preloads = new Set();
  const visit = (file) => {
    for (const { path, kind } of outputs.get(file).imports) {
      const other = basename(path);
      if (kind !== "import-statement" || preloads.has(other)) continue;
      preloads.add(other);
      visit(other);
    }
  };
  visit(module);
  return { module, style: basename(outputs.get(module).cssBundle), preloads: [...preloads].sort() };
}

/** The licenses of every package that one of the modules is from. */
async function licenses(inputs) {
  const used = new Map();
  for (const input of inputs) {
    const name = PACKAGE.exec(input)?.[1];
    if (name) used.set(name, [...(used.get(name) ?? []), `${basename(input)}.LICENSE.txt`]);
  }
  const names = [...used.keys()].sort();
  const listed = await Promise.all(names.map((name) => license(name, used.get(name))));
  const list = listed.map(({ title }) => title).join("\n");
  const texts = listed.map(({ title, text }) => `${"-".repeat(72)}\n${title}\n\n${text}`);
  return `These files contain parts of the following packages.\n\n${list}\n\n${texts.join("\n")}`;
}

/** The name, version and license of a package, and its texts. */
async function license(name, besides) {
  const folder = join(HERE, "node_modules", name);
  const { version, license: id } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const files = (await readdir(folder)).sort();
  const own = files.filter((file) => NOTICE.test(file) || besides.includes(file));
  const paths = own.map((file) => join(folder, file));
  if (!files.some((file) => /^licen[cs]e/i.test(file))) paths.push(join(HERE, "licenses", `${name}.txt`));
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  return { title: `${name} ${version} (${id})`, text: `${texts.map((text) => text.trim()).join("\n\n")}\n` };
}

async function buildPages(folder, sources) {
  await mkdir(folder, { recursive: true });
  const inputs = new Set();
  const pages = {};
  for (const name of PAGES) {
    const done = await bundled({ [name]: join(STATIC, name, "page.js") }, folder);
    pages[name] = page(name, done.outputs);
    for (const each of done.inputs) inputs.add(each);
  }
  await bundled({ worker: join(STATIC, "phone", "worker.js") }, folder);
  for (const file of await readdir(STATIC)) {
    if (COPIED.includes(extname(file))) await copyFile(join(STATIC, file), join(folder, file));
  }
  await writeFile(join(folder, "licenses.txt"), await licenses(inputs));
  await writeFile(join(folder, "manifest.json"), JSON.stringify({ sources, pages }));
}

async function buildDocumentation(folder, sources) {
  await mkdir(folder, { recursive: true });
  const inputs = new Set();
  for (const name of ["reference", "search"]) {
    const done = await bundled({ [name]: join(DOCUMENTATION, `${name}.js`) }, folder);
    for (const each of done.inputs) inputs.add(each);
  }
  await writeFile(join(folder, "licenses.txt"), await licenses(inputs));
  await writeFile(join(folder, "manifest.json"), JSON.stringify({ sources }));
}

/** The first fault in one line: esbuild's has a place. */
function told(error) {
  const [{ text, location }] = error.errors?.length ? error.errors : [{ text: error.message }];
  const place = location ? `${location.file}:${location.line}: ` : "";
  return `${place}${text}`.replaceAll(/\s+/g, " ");
}

const [folder, sources] = process.argv.slice(2);
try {
  await buildPages(join(folder, "pages"), sources);
  await buildDocumentation(join(folder, "documentation"), sources);
} catch (error) {
  process.stderr.write(`${told(error)}\n`);
  process.exitCode = 1;
}
