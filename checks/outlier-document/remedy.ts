import type { ArrayProfile, Collection, RemedyStep } from '../../src/check.js';
import { formatBytes, formatCount } from '../../src/format.js';
import { SCAN_COST, shellScan } from '../../src/judgement/shell-statement.js';

export function remedySteps(
  array: ArrayProfile | undefined,
  heaviest: string | null,
  { name, namespace }: Collection,
  bytes: number,
): RemedyStep[] {
  return [
    {
      text: `List the outliers, of ${formatBytes(bytes)} or more. ${SCAN_COST}`,
      code: shellScan(
        namespace,
        `{ $expr: { $gte: [{ $bsonSize: "$$ROOT" }, ${bytes}] } }`,
        '{ bytes: { $bsonSize: "$$ROOT" } }',
      ),
    },
    { text: array === undefined ? movingText(heaviest, name) : overflowText(array, heaviest, name) },
    {
      text: 'Set hasOverflow: true on the first document, so that only the outliers need a second read. Check: the list is empty.',
    },
  ];
}

function movingText(heaviest: string | null, collection: string): string {
  const part = heaviest === null ? 'what makes these documents large' : `\`${heaviest}\` of these documents`;
  return (
    `Use the outlier pattern: move ${part} out of ${collection}. Files and long texts belong in GridFS or an object store, the rest in ` +
    'an overflow document with the _id of the first.'
  );
}

function overflowText(array: ArrayProfile, heaviest: string | null, collection: string): string {
  return (
    `Use the outlier pattern: keep at most ${formatCount(array.lengths.p90)} elements of \`${heaviest}\` in a document (90 % of the ` +
    `arrays have no more). Move further elements to overflow documents of ${collection}, with the _id of the first document.`
  );
}
