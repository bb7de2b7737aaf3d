import { expect, test } from "vitest";
import {
  isBranchName,
  parseRefName,
  refName,
  refPatterns,
  sentRefName,
  trackingRefName,
} from "../../src/store/names.js";
import { writerSlug } from "../../src/store/writer.js";

const W = "ada-3f9a2c";

test.each([
  [refName("main", W), { branch: "main", writer: W, handle: null, remote: null }],
  [refName("feat/a/b", W), { branch: "feat/a/b", writer: W, handle: null, remote: null }],
  [refName("日本語", W), { branch: "日本語", writer: W, handle: null, remote: null }],
  [sentRefName("HEAD", W, "1234567"), { branch: "HEAD", writer: W, handle: "1234567", remote: null }],
  [
    trackingRefName(refName("a;b", W), "origin"),
    { branch: "a;b", writer: W, handle: null, remote: "origin" },
  ],
  [
    trackingRefName(refName("x/main", W), "team/x"),
    { branch: "x/main", writer: W, handle: null, remote: "team/x" },
  ],
  [
    trackingRefName(sentRefName("HEAD", W, "1234567"), "o"),
    { branch: "HEAD", writer: W, handle: "1234567", remote: "o" },
  ],
])("%s is read back", (ref, expected) => {
  expect(parseRefName(ref)).toEqual(expected);
});

test("a remote's slash does not make another component", () => {
  expect(trackingRefName(refName("main", W), "team/x")).toBe(`refs/handoff-remotes/main/${W}/team%2Fx`);
});

test.each([
  "refs/handoff/seal/x",
  "refs/handoff/outgoing/0123456789abcdef",
  `refs/handoff/${W}`,
  `refs/handoff-remotes/${W}/origin`,
  `refs/handoff-remotes/main/${W}`,
  `refs/heads/main/${W}`,
  "refs/handoff/main/ada-3f9a2",
  "refs/handoff/main/ada-3F9A2C",
  "refs/handoff/main/ada-3f9a2c-12345678",
  `refs/handoff/main/${"a".repeat(33)}-3f9a2c`,
])("%s belongs to somebody else", (ref) => {
  expect(parseRefName(ref)).toBeNull();
});

test("a branch's patterns name its local and its tracking logs", () => {
  expect(refPatterns("a/b")).toEqual(["refs/handoff/a/b/*", "refs/handoff-remotes/a/b/*/*"]);
});

test.each(["main", "日本語", "a;b", "a$b", "feat/ünï", "v1.0", "HEAD", "head"])(
  "%s can be a branch",
  (name) => {
    expect(isBranchName(name)).toBe(true);
  },
);
test.each([
  "",
  "-x",
  "a..b",
  "a/",
  "/a",
  "a//b",
  ".a",
  "a/.b",
  "a.lock",
  "a*",
  "a b",
  "a\nb",
  "a.",
  "a@{1",
  "x".repeat(1001),
])("%j cannot", (name) => {
  expect(isBranchName(name)).toBe(false);
});

test.each([
  ["Ada Lovelace", "ada-lovelace"],
  ["José Ñandú", "jose-nandu"],
  ["日本", "user"],
  ["", "user"],
  ["--a--", "a"],
  [`${"a".repeat(31)} b`, "a".repeat(31)],
])("the writer slug of %j is %s", (name, slug) => {
  expect(writerSlug(name)).toBe(slug);
});
