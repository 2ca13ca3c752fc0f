import type { Collection, IndexDescription, RemedyStep } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { isVisible } from '../../src/inventory/index-key.js';
import { onlyIf } from '../../src/judgement/only-if.js';
import { shellCommand, shellStatement, spacedJson } from '../../src/judgement/shell-statement.js';

export function steps(
  { namespace, database, name }: Collection,
  path: string,
  indexes: readonly IndexDescription[],
): RemedyStep[] {
  const key = { [path]: 1 };
  const existing = indexes.find((index) => isVisible(index) && isOnlyOn(index, path));
  const convert = { collMod: name, index: { keyPattern: existing?.key ?? key, expireAfterSeconds: 0 } };
  return stepsOf(
    'First make sure that nobody needs these documents: audits, reports, support. A TTL index deletes them for good.',
    ...onlyIf(existing === undefined, {
      text: 'Create an index on the field, without expiry yet. The build reads all documents on every member that holds data, while reads and writes go on.',
      code: shellStatement(namespace, 'createIndex', spacedJson(key)),
    }),
    {
      text: 'Delete what has expired in portions, the oldest first: set `until` a little later each time. Else the TTL index deletes all of it at once, and the members have to follow.',
      code: shellStatement(namespace, 'deleteMany', `{ ${JSON.stringify(path)}: { "$lt": until } }`),
    },
    {
      text: 'Make the index a TTL index. Documents then go within about a minute of their date. Before MongoDB 5.1, drop it and create it with expireAfterSeconds instead.',
      code: shellCommand(database, convert),
    },
    'Check after some minutes that none are left. The files keep the free space for new documents: see reusable-space.',
  );
}

/** What a TTL index may be made of; a partial one would leave documents. */
function isOnlyOn({ key, partialFilterExpression }: IndexDescription, path: string): boolean {
  const [field, ...others] = Object.entries(key);
  const isPlain = others.length === 0 && field?.[0] === path && typeof field[1] === 'number';
  return isPlain && partialFilterExpression === undefined;
}
