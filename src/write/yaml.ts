/** The YAML library behind an import of our own: bundled, a dynamic import of a CommonJS package has no names. */
export { parseDocument } from "yaml";
