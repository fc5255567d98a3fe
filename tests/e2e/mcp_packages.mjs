// Packages from where .ci/e2e/bring puts them; Node looks only beside the file that imports.

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const from = createRequire(resolve(import.meta.dirname, "../../.dev/e2e/npm/package.json"));

/** Imports a package by its name. */
export const imported = (name) => import(pathToFileURL(from.resolve(name)));
