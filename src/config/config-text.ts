import { basename } from 'node:path';
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import { withoutSecrets } from '../connect/secrets.js';
import { LintError } from '../lint-error.js';
import { PACKAGE_KEY, type Loaded } from './config-file.js';

/**
 * Parses YAML, and JSON, which is YAML too. From a package.json, lilconfig takes the key that holds the configuration.
 *
 * @param name the file's name in errors
 * @throws LintError with the line of the first error of syntax
 */
export function parseConfigText(name: string, content: string): Loaded | { [PACKAGE_KEY]: Loaded | null } {
  const lines = new LineCounter();
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    throw new LintError(`${name}:${lines.linePos(error.pos[0]).line}: ${withoutSecrets(error.message, '')}.`, {
      cause: error,
    });
  }
  const lineOf = (path: readonly PropertyKey[]) => lines.linePos(offsetOf(document, path)).line;
  const value: unknown = document.toJS() ?? {};
  if (basename(name) !== 'package.json') return { value, lineOf };
  const own = (value as Record<string, unknown>)[PACKAGE_KEY];
  return { [PACKAGE_KEY]: own === undefined ? null : { value: own, lineOf: (path) => lineOf([PACKAGE_KEY, ...path]) } };
}

/** Where a key or an element begins, or else the key above it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const part of path) {
    const item = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && key.value === part)
      : isSeq(node)
        ? node.items[Number(part)]
        : undefined;
    const start = isPair(item) ? item.key : item;
    const range = (start as { range?: readonly number[] } | undefined)?.range;
    if (range === undefined) return offset;
    offset = range[0] as number;
    node = isPair(item) ? item.value : item;
  }
  return offset;
}
