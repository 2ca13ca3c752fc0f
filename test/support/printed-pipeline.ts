import type { Document } from 'mongodb';

/** A collection in mongosh: `.orders`, `.getCollection("order-items")`. */
const SHELL_COLLECTION = String.raw`\.(?:getCollection\("(?<quoted>[^"]+)"\)|(?<plain>\w+))`;

export const AGGREGATE = new RegExp(String.raw`${SHELL_COLLECTION}\.aggregate\((?<text>\[.*\])\)$`, 's');
const FIND = new RegExp(String.raw`${SHELL_COLLECTION}\.find\((?<text>\{[^()]*\})\)$`);

/** What a statement of mongosh is on, and what it is called with; null if it is none of that form. */
export function statementIn(code: string, form: RegExp): { readonly collection: string; readonly text: string } | null {
  const { quoted, plain, text } = form.exec(code)?.groups ?? {};
  const collection = quoted ?? plain;
  return collection === undefined || text === undefined ? null : { collection, text };
}

/** An aggregation as remedies print it, with values in the places that it leaves open: `<number>`, `[<string>]`. */
export function pipelineWithValues(
  code: string,
  values: readonly unknown[],
): { readonly collection: string; readonly pipeline: readonly Document[] } {
  const found = statementIn(code, AGGREGATE);
  if (found === null) throw new Error(`No aggregation: ${code}`);
  return { collection: found.collection, pipeline: filled(found.text, values) as Document[] };
}

/** A find as remedies print it, with values in place of those that it leaves open. */
export function findWithValues(
  code: string,
  values: readonly unknown[],
): { readonly collection: string; readonly filter: Document } {
  const found = statementIn(code, FIND);
  if (found === null) throw new Error(`No find: ${code}`);
  return { collection: found.collection, filter: filled(found.text, values) as Document };
}

/** mongosh reads names without quotes, JSON does not. */
function filled(text: string, values: readonly unknown[]): unknown {
  const left = [...values];
  const json = text
    .replaceAll(/\[<\w+>\]|<\w+>/g, () => JSON.stringify(left.shift()))
    .replaceAll(/([{,] )(\$?\w+): /g, '$1"$2": ');
  if (left.length > 0) throw new Error(`Values too many: ${JSON.stringify(left)}`);
  return JSON.parse(json);
}
