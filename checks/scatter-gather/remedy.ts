import type { RemedyStep } from '../../src/check.js';
import { formatShare } from '../../src/format.js';
import type { ShardKey } from '../../src/inventory/sharding.js';
import { equalPaths } from '../../src/judgement/queries/conditions.js';
import { filterText } from '../../src/judgement/queries/filter-text.js';
import { shardKeyCommand } from '../../src/judgement/shard-keys/reshard-remedy.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import type { ScatteredQueries } from './scattered-queries.js';

export function remedySteps(namespace: string, { queries, executions }: ScatteredQueries, key: ShardKey): RemedyStep[] {
  const [{ query }] = queries;
  const named = Object.fromEntries(key.map(({ path }) => [path, { $eq: '?value' }]));
  const field = mostAskedField(queries);
  const withField = executionsWith(field, queries);
  return [
    {
      text: 'If the application knows the values of the shard key, such as from the document that led it here, let the query name them too. It then goes to one shard.',
      code: shellStatement(
        namespace,
        'find',
        filterText([{ ...named, ...query.filters[0] }, ...query.filters.slice(1)]),
      ),
    },
    {
      text: `Otherwise, a shard key that begins with \`${field}\` serves ${formatShare(withField / executions)} of these executions. Check it against the data and the other queries first. This only reads.`,
      code: shardKeyCommand(namespace, keyBeginningWith(field, key)),
    },
    {
      text: 'Check where the query goes: explain() then has the stage SINGLE_SHARD, and mongos logs it with nShards: 1.',
    },
  ];
}

/** `_id` mostly follows the order of insertion, which its hash does not. */
function keyBeginningWith(field: string, key: ShardKey): ShardKey {
  if (field === '_id') return [{ path: field, hashed: true }];
  return [field, ...key.flatMap(({ path }) => (path === field ? [] : [path]))].map((path) => ({ path, hashed: false }));
}

/** The field of which most executions name a value. */
function mostAskedField(queries: ScatteredQueries['queries']): string {
  const fields = new Set(queries.flatMap(({ query }) => equalPaths(query.conditions)));
  const [most = '_id'] = [...fields].toSorted(
    (one, other) => executionsWith(other, queries) - executionsWith(one, queries),
  );
  return most;
}

function executionsWith(field: string, queries: ScatteredQueries['queries']): number {
  return queries.reduce(
    (sum, { query, executions }) => sum + (equalPaths(query.conditions).includes(field) ? executions : 0),
    0,
  );
}
