/** What the hook loads only for a document that is not in our own form: the tolerant reader and its YAML library. */
export { parseDocument } from "./document/parse.js";
