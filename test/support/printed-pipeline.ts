import type { Document } from 'mongodb';

/** An aggregation as remedies print it, with values in the places that it leaves open: `<number>`, `[<string>]`. */
export function pipelineWithValues(
  code: string,
  values: readonly unknown[],
): { readonly collection: string; readonly pipeline: readonly Document[] } {
  const [, collection, text] = /\.getCollection\("([^"]+)"\)\.aggregate\((\[.*\])\)$/s.exec(code) ?? [];
  if (collection === undefined || text === undefined) throw new Error(`No aggregation: ${code}`);
  const left = [...values];
  const filled = text
    .replaceAll(/<\w+>/g, () => JSON.stringify(left.shift()))
    // mongosh reads names without quotes, JSON does not.
    .replaceAll(/([{,] )(\$?\w+): /g, '$1"$2": ');
  if (left.length > 0) throw new Error(`Values too many: ${JSON.stringify(left)}`);
  return { collection, pipeline: JSON.parse(filled) as Document[] };
}
