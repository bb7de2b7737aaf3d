import { expect, it } from "vitest";
import { hashObject } from "../../src/git/object.js";
import { FORMAT, FORMAT_OIDS } from "../../src/store/log.js";

it("the written-out ids of the format file are its ids", () => {
  expect(FORMAT_OIDS).toEqual({
    sha1: hashObject("blob", FORMAT, "sha1"),
    sha256: hashObject("blob", FORMAT, "sha256"),
  });
});
