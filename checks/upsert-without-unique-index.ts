import { formatIndexKey } from '../src/inventory/index-key.js';
import { isRepeated } from '../src/judgement/queries/judged-query.js';
import { equalPaths } from '../src/judgement/queries/conditions.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { PER_DAY, RECURRING } from '../src/judgement/queries/query-thresholds.js';
import { recordedQueries } from '../src/judgement/queries/recorded-queries.js';
import { defineWorstQueryCheck, textOf, type FoundQuery } from '../src/judgement/queries/worst-query-check.js';
import { shellAggregation, shellStatement } from '../src/judgement/shell-statement.js';

interface RacingUpsert extends FoundQuery {
  /** The fields by which it looks for the document, in order of their names. */
  readonly fields: readonly string[];
}

export const upsertWithoutUniqueIndex = defineWorstQueryCheck({
  id: 'upsert-without-unique-index',
  title: 'Upsert without a unique index',
  summary: 'upserts by fields that no unique index holds, so that two at once insert the document twice',
  thresholds: {
    recurring: {
      ...RECURRING,
      description: 'recorded executions from which it is a warning; at an expected size one is enough',
    },
    perDay: PER_DAY,
  },
  find({ cluster }) {
    return queriesOf(cluster).flatMap((query): RacingUpsert[] => {
      const fields = racingFields(query);
      return fields === null ? [] : [{ query, cost: recordedQueries([query], cluster.workload), fields }];
    });
  },
  path: ({ fields }) => indexName(fields),
  pathIs: 'missing-index',
  rank: ({ cost }) => cost.executions,
  severity: ({ query, cost }, { limits }) => (isRepeated(query, cost, limits.recurring) ? 'warning' : 'info'),
  // Whether two ever run at once is not recorded.
  confidence: 'medium',
  message: (all) =>
    `${textOf(all)} inserts the document if there is none, and no unique index on ${namesOf(all[0].fields)} keeps two that run ` +
    `at once from inserting it twice (${all[0].cost.window}).`,
  figures: ([{ fields }]) => ({ fields: [...fields] }),
  remedy({ query, fields }) {
    const { namespace, sharding } = query.known.collection;
    const key = Object.fromEntries(fields.map((field) => [field, 1]));
    return [
      {
        text: 'Look for documents that are there twice, and decide which to keep: the unique index is not built over two with one key.',
        code: shellAggregation(
          namespace,
          `{ $group: { _id: { ${fields.map((field, index) => `f${index}: ${JSON.stringify(`$${field}`)}`).join(', ')} }, documents: { $sum: 1 } } }`,
          '{ $match: { documents: { $gt: 1 } } }',
        ),
      },
      {
        text:
          sharding === undefined
            ? 'Create the unique index. The upsert that loses the race then fails with code 11000: run it again, and it updates.'
            : 'Create the unique index, which on a sharded collection must begin with the shard key. The upsert that loses the race then fails with code 11000: run it again, and it updates.',
        code: shellStatement(namespace, 'createIndex', formatIndexKey(key), '{ unique: true }'),
      },
    ];
  },
});

/** Null if it is no upsert, or a unique index or the `_id` keeps a second document out. */
function racingFields({ operation: { shape }, conditions, known: { indexes } }: Query): readonly string[] | null {
  if (shape.upsert !== true || shape.truncated === true || conditions.alternatives.length > 0) return null;
  const fields = [...new Set(equalPaths(conditions))].toSorted();
  if (fields.length === 0 || fields.includes('_id') || !indexes.present) return null;
  const isUnique = indexes.value.some(
    ({ unique, key }) => unique && Object.keys(key).every((path) => fields.includes(path)),
  );
  return isUnique ? null : fields;
}

function indexName(fields: readonly string[]): string {
  return fields.map((field) => `${field}_1`).join('_');
}

function namesOf(fields: readonly string[]): string {
  return fields.map((field) => `\`${field}\``).join(', ');
}
