import { basename } from 'node:path';
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document, type YAMLError } from 'yaml';
import { LintError } from '../lint-error.js';
import { PACKAGE_KEY, type Loaded } from './config-file.js';

const IN_QUOTES = 'put the text in quotation marks';
/** What is wrong, for the errors whose message quotes the file, or speaks of the parser. */
const QUOTING_FAULTS: Partial<Record<YAMLError['code'], string>> & { readonly BAD_ALIAS: string } = {
  BAD_ALIAS: `a text that begins with * or & is an alias or an anchor: ${IN_QUOTES}`,
  BAD_COLLECTION_TYPE: `a text that begins with ! is a tag: ${IN_QUOTES}`,
  BAD_DIRECTIVE: 'a line that begins with % is a directive',
  BAD_DQ_ESCAPE: 'a backslash in double quotation marks does not begin an escape: use single ones',
  BAD_SCALAR_START: `a text begins with a character that YAML reserves: ${IN_QUOTES}`,
  NON_STRING_KEY: 'a key is a list, a map or an alias: write a name',
  TAG_RESOLVE_FAILED: `a text that begins with ! is a tag: ${IN_QUOTES}`,
  UNEXPECTED_TOKEN: `something unexpected stands here: ${IN_QUOTES}`,
};

/**
 * Parses YAML, and JSON, which is YAML too: an empty text sets nothing, and of a package.json counts what is under our key. Null
 * if it has none.
 *
 * @param name the file's name in errors
 * @throws LintError with the line of the first error of syntax
 */
export function parseConfigText(name: string, content: string): Loaded | null {
  const lines = new LineCounter();
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    throw new LintError(`${name}:${lines.linePos(error.pos[0]).line}: ${faultOf(error)}.`, { cause: error });
  }
  const lineOf = (path: readonly PropertyKey[]) => lines.linePos(offsetOf(document, path)).line;
  const value = plainValue(document, name);
  if (basename(name) !== 'package.json') return { value, lineOf };
  const own = (value as Record<string, unknown>)[PACKAGE_KEY];
  return own === undefined ? null : { value: own, lineOf: (path) => lineOf([PACKAGE_KEY, ...path]) };
}

/** Only what quotes nothing of the file: that may be a password without quotation marks. */
function faultOf({ code, message }: YAMLError): string {
  return QUOTING_FAULTS[code] ?? message;
}

/** An alias without an anchor is found only now. */
function plainValue(document: Document, name: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw new LintError(`${name}: ${QUOTING_FAULTS.BAD_ALIAS}.`, { cause: error });
  }
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
