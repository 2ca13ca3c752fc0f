import type { IndexDescription, RemedyStep } from '../../src/check.js';
import { formatCount } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { formatIndexKey } from '../../src/inventory/index-key.js';
import { stepsOf } from '../../src/remedy.js';

export function remedySteps(indexes: readonly IndexDescription[]): RemedyStep[] {
  return stepsOf(
    'Start with the findings of unused-index and redundant-index on this collection. Hide an index before you drop it.',
    mergeText(indexes),
    'If users filter by fields that cannot be foreseen, replace the index for each field by one wildcard index, or by the attribute pattern: ' +
      '{ name, value } pairs in an array with one index.',
  );
}

/** Most indexes can be merged that begin with the same field. */
function mergeText(indexes: readonly IndexDescription[]): string {
  const byFirst = [...groupedBy(indexes, ({ key }) => Object.keys(key)[0] ?? '')];
  const [field, alike] = byFirst.reduce((most, each) => (each[1].length > most[1].length ? each : most), ['', []] as [
    string,
    IndexDescription[],
  ]);
  if (alike.length < 2)
    return 'Let compound indexes over fields that are queried together replace several: no two indexes begin with the same field.';
  const examples = alike.slice(0, 2).map(({ key }) => formatIndexKey(key));
  return (
    `${formatCount(alike.length)} of them begin with \`${field}\`, such as ${examples.join(' and ')}. ` +
    'Merge those that one index can serve: equality fields first, then the sort, then ranges.'
  );
}
