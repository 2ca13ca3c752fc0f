import type { IndexDescription, RemedyStep } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatCount } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { formatIndexKey } from '../../src/inventory/index-key.js';

export function remedySteps(indexes: readonly IndexDescription[]): RemedyStep[] {
  return stepsOf(
    'Start with the findings of unused-index and redundant-index on this collection. Hide an index before you drop it.',
    mergeText(indexes),
    'If users filter by fields that cannot be foreseen, replace the index for each field by one wildcard index, or by the attribute pattern: ' +
      '{ name, value } pairs in an array with one index.',
  );
}

/** Most indexes can be merged that begin with the same field and compare alike. */
function mergeText(indexes: readonly IndexDescription[]): string {
  const [first, ...others] = [...groupedBy(indexes, beginning).values()].reduce(
    (most, each) => (each.length > most.length ? each : most),
    [],
  );
  if (first === undefined || others.length === 0)
    return 'Let compound indexes over fields that are queried together replace several: no two that compare alike begin with the same field.';
  const examples = [first, ...others.slice(0, 1)].map(({ key }) => formatIndexKey(key));
  return (
    `${formatCount(1 + others.length)} of them begin with \`${Object.keys(first.key)[0] ?? ''}\`, such as ${examples.join(' and ')}. ` +
    'Merge those that one index can serve: equality fields first, then the sort, then ranges.'
  );
}

function beginning({ key, collation }: IndexDescription): string {
  return JSON.stringify([Object.keys(key)[0], collation]);
}
