import type { Document } from 'mongodb';

/** An aggregation as remedies print it, with values in the places that it leaves open: `<number>`, `[<string>]`. */
export function pipelineWithValues(
  code: string,
  values: readonly unknown[],
): { readonly collection: string; readonly pipeline: readonly Document[] } {
  const [, collection, text] = /\.getCollection\("([^"]+)"\)\.aggregate\((\[.*\])\)$/s.exec(code) ?? [];
  if (collection === undefined || text === undefined) throw new Error(`No aggregation: ${code}`);
  return { collection, pipeline: filled(text, values) as Document[] };
}

/** A find as remedies print it, with values in place of those that it leaves open. */
export function findWithValues(
  code: string,
  values: readonly unknown[],
): { readonly collection: string; readonly filter: Document } {
  const [, collection, text] = /\.getCollection\("([^"]+)"\)\.find\((\{[^()]*\})\)$/.exec(code) ?? [];
  if (collection === undefined || text === undefined) throw new Error(`No find: ${code}`);
  return { collection, filter: filled(text, values) as Document };
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
