// Draws the import graph and fails on an arrow that runs back, on a circle, and on a file that has grown
// into two.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/repo.js";

/** Rooms from the bottom up; a file may import from its own level and from below. */
const LEVELS: readonly (readonly string[])[] = [
  ["errors.ts", "context.ts"],
  ["document", "git"],
  ["store", "verify", "terminal"],
  ["surface", "read", "write", "formats", "sync", "install"],
  ["commands", "library", "hook"],
  [
    "cli.ts",
    "cli-list.ts",
    "cli-main.ts",
    "cli-start.ts",
    "code-cache.ts",
    "edge.ts",
    "hook.ts",
    "hook-main.ts",
    "hook-full.ts",
    "git-handoff.ts",
    "index.ts",
  ],
];

/** Longer than a screen or five, and why that is better than two files. */
const LONG: Readonly<Record<string, string>> = {
  "commands/spec.ts": "a table: every command and option in one place is its point",
};
const LINES = 300;

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.(ts|mjs)$/.test(name),
);
const texts = new Map(sources.map((name) => [name, readFileSync(join(root, "src", name), "utf8")]));
const graph = new Map([...texts].map(([name, text]) => [name, importsOf(name, text)]));

function importsOf(name: string, text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, "");
  const found = code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, path]) => normalize(join(dirname(name), path ?? "")).replace(/\.js$/, ".ts"));
}

function roomOf(name: string): string {
  return name.split("/")[0] ?? name;
}

function levelOf(name: string): number {
  return LEVELS.findIndex((rooms) => rooms.includes(roomOf(name)));
}

/** Some circle in a graph, as its nodes in order; null when there is none. */
function circleIn(arrows: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, path: string[]): string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of arrows.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle) return circle;
    }
    done.add(node);
    return null;
  };
  for (const node of arrows.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return null;
}

describe("the house", () => {
  it("has a level for every room", () => {
    expect(sources.filter((name) => levelOf(name) < 0)).toEqual([]);
  });

  it("imports only files that are there", () => {
    const broken = [...graph].flatMap(([name, targets]) =>
      targets
        .filter((target) => !texts.has(target) && !target.endsWith(".json"))
        .map((target) => `${name} -> ${target}`),
    );
    // Made by the build beside it.
    expect(broken.filter((arrow) => !/^git-handoff.ts -> (?:cli|hook).cjs$/.test(arrow))).toEqual([]);
  });

  it("imports downwards", () => {
    const back = [...graph].flatMap(([name, targets]) =>
      targets.filter((target) => levelOf(target) > levelOf(name)).map((target) => `${name} -> ${target}`),
    );
    expect(back).toEqual([]);
  });

  it("keeps document apart from everything but itself", () => {
    const out = [...graph].flatMap(([name, targets]) =>
      roomOf(name) === "document"
        ? targets
            .filter((target) => !["document", "errors.ts"].includes(roomOf(target)))
            .map((target) => `${name} -> ${target}`)
        : [],
    );
    expect(out).toEqual([]);
  });

  it("has no circle of files", () => {
    expect(circleIn(graph)).toBe(null);
  });

  it("has no circle of rooms", () => {
    const rooms = new Map<string, string[]>();
    for (const [name, targets] of graph) {
      const others = targets.map(roomOf).filter((room) => room !== roomOf(name));
      rooms.set(roomOf(name), [...(rooms.get(roomOf(name)) ?? []), ...others]);
    }
    expect(circleIn(rooms)).toBe(null);
  });

  it("would see a circle", () => {
    expect(
      circleIn(
        new Map([
          ["a", ["b"]],
          ["b", ["c"]],
          ["c", ["b"]],
        ]),
      ),
    ).toEqual(["b", "c", "b"]);
    expect(
      circleIn(
        new Map([
          ["a", ["b", "c"]],
          ["b", ["c"]],
          ["c", []],
        ]),
      ),
    ).toBe(null);
    expect(
      importsOf("read/flow.ts", 'import type { A } from "../store/a.js";\nawait import("./b.js");'),
    ).toEqual(["store/a.ts", "read/b.ts"]);
  });

  it("has no file that should be two", () => {
    const long = [...texts].filter(([name, text]) => text.split("\n").length > LINES && !(name in LONG));
    expect(long.map(([name]) => name)).toEqual([]);
    expect(Object.keys(LONG).filter((name) => !texts.has(name))).toEqual([]);
  });

  it("keeps the hot path to node's own modules and to our own code", () => {
    const reached = new Set<string>();
    const reach = (name: string) => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const [, path] of (texts.get(name) ?? "").matchAll(
        /^(?:import|export)(?! type)[^;]*?from "(\.[^"]+)"/gms,
      ))
        reach(normalize(join(dirname(name), path ?? "")).replace(/\.js$/, ".ts"));
    };
    reach("hook.ts");
    const packages = [...reached].flatMap((name) =>
      [...(texts.get(name) ?? "").matchAll(/^(?:import|export)(?! type)[^;]*?from "([^".][^"]*)"/gms)]
        .map(([, path]) => path ?? "")
        .filter((path) => !path.startsWith("node:"))
        .map((path) => `${name} -> ${path}`),
    );
    expect(packages).toEqual([]);
  });
});
