import type { Collection, RemedyStep } from '../../src/check.js';
import { plural } from '../../src/format.js';
import { shellAggregation, shellStatement } from '../../src/judgement/shell-statement.js';

/** @param days that the recorded operations reach back */
export function archivingSteps({ namespace, database, name }: Collection, path: string, days: number): RemedyStep[] {
  const cutoff =
    path === '_id'
      ? `ObjectId.createFromTime(Math.floor(Date.now() / 1000) - ${days} * 86400)`
      : `new Date(Date.now() - ${days} * 86400000)`;
  const old = `{ ${JSON.stringify(path)}: { $lt: ${cutoff} } }`;
  const archive = `${name}_archive`;
  return [
    {
      text: `Ask who reads older documents: audits, yearly reports, exports, support. None was recorded. Add what they need to the ${plural(days, 'day')} below.`,
    },
    {
      text: 'On Atlas, an Online Archive rule on that field moves them to object storage, where queries still find them. Skip the next three steps then.',
    },
    {
      text: 'Else copy them to a collection with fewer indexes, or on a cheaper server. This reads the collection once; it can be run again.',
      code: shellAggregation(namespace, `{ $match: ${old} }`, `{ $merge: { into: ${JSON.stringify(archive)} } }`),
    },
    {
      text: 'Compare the numbers. Then delete the old documents in ranges of a day or an hour, with pauses: each is replicated. Back up first.',
      code: shellStatement(namespace, 'deleteMany', old),
    },
    {
      text: 'To undo it, copy them back.',
      code: shellAggregation(`${database}.${archive}`, `{ $merge: { into: ${JSON.stringify(name)} } }`),
    },
    ...(path === '_id'
      ? []
      : [
          {
            text: `If nobody needs them at all, a TTL index deletes them for good, from then on as well. It deletes the whole backlog as fast as it can: begin with a long time, and lower it in steps.`,
            code: shellStatement(
              namespace,
              'createIndex',
              `{ ${JSON.stringify(path)}: 1 }`,
              `{ expireAfterSeconds: ${days} * 86400 }`,
            ),
          },
        ]),
    {
      text: 'If they must stay, keep them out of the indexes: a partial index from a fixed day on holds the new ones only, and serves queries that ask for later days. Renew it once a year.',
    },
    {
      text: 'Check that queries find what they did, and run `compact` on secondaries to give the space back (see reusable-space).',
    },
  ];
}
