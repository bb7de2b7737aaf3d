/** The program of every command. */
import { start } from "./cli.js";
import { LOADERS } from "./commands/load.js";

start(LOADERS);
