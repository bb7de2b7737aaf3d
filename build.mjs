// Installs what is missing, then bundles: `cli` and `hook` (CommonJS, each started from V8's code cache; the hook
// without any library) and the library (ESM). Everything is bundled, so the installed package has no dependencies.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
process.chdir(root);

const lock = "package-lock.json";
const stamp = "node_modules/.package-lock.json";
if (
  !existsSync(stamp) ||
  (existsSync(lock) && statSync(lock).mtimeMs > statSync(stamp).mtimeMs + 60_000 && process.env.CI)
) {
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { stdio: "inherit" });
}

const { build } = await import("esbuild");
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const out = `dist.${process.pid}`;
const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  define: { __VERSION__: JSON.stringify(version) },
  // Its main file is UMD, whose own requires no bundler can follow.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
};
const requireShim = {
  js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);',
};
// yargs brings a help layout, translations and `assert`: 38 of its 50 ms at start, none of it used here.
const slimYargs = {
  name: "slim-yargs",
  setup(bundle) {
    bundle.onResolve({ filter: /platform-shims\/esm\.mjs$/ }, () => ({
      path: join(root, "src/commands/usage/yargs-platform.mjs"),
    }));
  },
};
// The hook must not load the YAML library, nor any other: where a document needs it, it comes as a file of its own.
const lightHook = {
  name: "light-hook",
  setup(bundle) {
    bundle.initialOptions.metafile = true;
    bundle.onResolve({ filter: /document\/parse\.js$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./hook-full.cjs", external: true } : undefined,
    );
    bundle.onEnd(({ metafile }) => {
      const foreign = Object.keys(metafile?.inputs ?? {}).find((path) => path.includes("node_modules/"));
      return { errors: foreign ? [{ text: `the hook's bundle contains ${foreign}` }] : [] };
    });
  },
};
// Node's own modules cost the hook milliseconds each, and most checkouts need few of them: they are loaded when
// something of theirs is first used. (`fs`, `path`, `util` and `buffer` are there anyway.)
const lazyBuiltins = {
  name: "lazy-builtins",
  setup(bundle) {
    const builtin = /^node:(child_process|crypto|fs\/promises|os|timers\/promises|tty|vm|zlib)$/;
    bundle.onResolve({ filter: builtin }, ({ path, namespace }) =>
      namespace === "lazy" ? { path, external: true } : { path, namespace: "lazy" },
    );
    bundle.onLoad({ filter: /.*/, namespace: "lazy" }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== "default");
      return {
        contents: `let loaded;
          for (const name of ${JSON.stringify(names)})
          Object.defineProperty(exports, name, { enumerable: true, get: () => (loaded ??= require("${path}"))[name] });`,
      };
    });
  },
};
function digestOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest("hex").slice(0, 32);
}
// Libraries that few commands need, each in a bundle of its own, so that the others do not wait for it to be read.
const libraries = {
  yaml: ["yaml"],
  zod: ["zod"],
  execa: ["execa"],
  prompts: ["@clack/prompts"],
  secretlint: ["@secretlint/core", "@secretlint/secretlint-rule-preset-recommend"],
};
const libraryOf = (path) => Object.keys(libraries).find((name) => libraries[name].includes(path));
const separateLibraries = {
  name: "separate-libraries",
  setup(bundle) {
    bundle.onResolve({ filter: /^[@a-z]/ }, ({ path }) => {
      const name = libraryOf(path);
      return name === undefined ? undefined : { path: `./lib-${name}.cjs`, external: true };
    });
  },
};
const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join("src", name), "utf8"));
/** The names that the sources use of a package, so that the rest of it falls away. */
function namesOf(path) {
  const from = path.replaceAll("/", "\\/");
  const named = new RegExp(
    `import (?:\\{([^{};]*)\\}|\\* as (\\w+)) from "${from}"|\\{([^{};]*)\\} = await import\\("${from}"\\)`,
    "g",
  );
  const found = sources.flatMap((text) =>
    [...text.matchAll(named)].flatMap(([, list, star, late]) =>
      star
        ? [...text.matchAll(new RegExp(`\\b${star}\\.([a-zA-Z]\\w*)\\(`, "g"))].map(([, name]) => name)
        : (list ?? late)
            .split(",")
            .map((name) => name.replace(/ as .*/s, "").trim())
            .filter((name) => name !== "" && !name.startsWith("type ")),
    ),
  );
  return [...new Set(found)];
}
const cached = { ...common, outdir: out, outExtension: { ".js": ".cjs" }, format: "cjs" };
function buildLibrary(name) {
  const contents = libraries[name]
    .map((path) => `export { ${namesOf(path).join(", ")} } from "${path}";`)
    .join("\n");
  return build({
    ...cached,
    stdin: { contents, resolveDir: root, sourcefile: `lib-${name}.js` },
    outdir: undefined,
    outfile: join(out, `lib-${name}.cjs`),
    outExtension: undefined,
    plugins: [lazyBuiltins],
  });
}
// A program of CommonJS, and a small one of the same form that starts it from V8's code cache.
async function buildCached(main, start, { plugins, banner = {}, libraries = [] }) {
  await Promise.all([
    build({
      ...cached,
      entryPoints: main,
      plugins,
      banner,
      // What comes from V8's code cache cannot import, but it can be given a `require`.
      supported: { "dynamic-import": false },
      define: { ...common.define, "import.meta.dirname": "__dirname", "import.meta.url": "__moduleUrl" },
    }),
    ...libraries.map(buildLibrary),
  ]);
  const bundles = [...Object.keys(main), ...libraries.map((name) => `lib-${name}`)].map((name) =>
    join(out, `${name}.cjs`),
  );
  for (const path of bundles) {
    // Read as such when it is started.
    if (/[^\x00-\x7f]/.test(readFileSync(path, "utf8"))) throw new Error(`${path} is not ASCII`);
  }
  await build({
    ...cached,
    entryPoints: start,
    define: { ...common.define, __PROGRAM__: JSON.stringify(digestOf(bundles)) },
  });
}
await Promise.all([
  build({
    ...common,
    entryPoints: { index: "src/index.ts" },
    outdir: out,
    format: "esm",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    banner: requireShim,
  }),
  build({
    ...common,
    entryPoints: { "hook-full": "src/hook-full.ts" },
    outdir: out,
    outExtension: { ".js": ".cjs" },
    format: "cjs",
  }),
  buildCached(
    { "hook-main": "src/hook-main.ts" },
    { hook: "src/hook.ts" },
    { plugins: [lightHook, lazyBuiltins] },
  ),
  buildCached(
    { "cli-main": "src/cli-main.ts", "cli-list": "src/cli-list.ts" },
    { cli: "src/cli-start.ts" },
    {
      plugins: [slimYargs, separateLibraries, lazyBuiltins],
      banner: { js: 'const __moduleUrl=require("node:url").pathToFileURL(__filename).href;' },
      libraries: Object.keys(libraries),
    },
  ),
  build({
    ...common,
    entryPoints: { "git-handoff": "src/git-handoff.ts" },
    // A shell takes the first line for a command that does nothing, Node takes all of it for a comment.
    banner: { js: `#!/bin/sh\n":" /*\n${readFileSync("src/git-handoff.sh", "utf8")}*/` },
    outdir: out,
    format: "esm",
    external: ["./cli.cjs", "./hook.cjs"],
  }),
]);
execFileSync(
  process.execPath,
  ["node_modules/typescript/bin/tsc", "-p", "src/tsconfig.types.json", "--outDir", `${out}/types`],
  {
    stdio: "inherit",
  },
);
const manual = await build({
  ...common,
  entryPoints: ["src/commands/usage/manual.ts"],
  format: "esm",
  write: false,
});
const { manualPage } = await import(
  `data:text/javascript;base64,${Buffer.from(manual.outputFiles[0].contents).toString("base64")}`
);
// esbuild does so only where the source has the first line; npm does it on install, a link into a PATH does not.
chmodSync(`${out}/git-handoff.js`, 0o755);
mkdirSync(`${out}/man`, { recursive: true });
writeFileSync(`${out}/man/git-handoff.1`, manualPage(version));
// Put in place in one step, so that a build beside a running test never shows a half-written bundle.
const old = `dist.old.${process.pid}`;
if (existsSync("dist")) renameSync("dist", old);
renameSync(out, "dist");
rmSync(old, { recursive: true, force: true });
writeFileSync(join("dist", ".version"), `${version}\n`);
