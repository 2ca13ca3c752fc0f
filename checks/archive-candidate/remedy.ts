import type { Collection, RemedyStep } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatDay, plural } from '../../src/format.js';
import { onlyIf } from '../../src/judgement/only-if.js';
import { shellAggregation, shellStatement } from '../../src/judgement/shell-statement.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../../src/time-units.js';
import type { Bound, Reach } from './reach.js';

export function archivingSteps({ namespace, database, name }: Collection, { bounds, window }: Reach): RemedyStep[] {
  // The same moments in all steps, however long they take: what is deleted was copied.
  const cutoffs = bounds.map((bound) => `${JSON.stringify(bound.path)}: { $lt: ${cutoff(bound, window.to)} }`);
  const old = `{ ${cutoffs.join(', ')} }`;
  const archive = `${name}_archive_${formatDay(window.to).replaceAll('-', '')}`;
  const [only, ...others] = bounds;
  return stepsOf(
    'Ask who reads older documents: audits, yearly reports, exports, support. None was recorded. For what they need, set earlier days below: the same ones in each step.',
    'On Atlas, an Online Archive rule with this filter moves them to object storage, where queries still find them. Skip the next three steps then.',
    {
      text: 'Else copy them to a new collection with fewer indexes, or on a cheaper server. Make sure first that there is none of this name: the copy would mix with its documents. This reads the collection once; it can be run again.',
      code: shellAggregation(
        namespace,
        `{ $match: ${old} }`,
        `{ $merge: { into: ${JSON.stringify(archive)}, whenMatched: "replace" } }`,
      ),
    },
    {
      text: 'Count what this filter finds in both, and delete only if the numbers are equal: in ranges of a day or an hour, with pauses, since each is replicated. Back up first.',
      code: shellStatement(namespace, 'deleteMany', old),
    },
    {
      text: 'To undo it, copy them back.',
      code: shellAggregation(
        `${database}.${archive}`,
        `{ $match: ${old} }`,
        `{ $merge: { into: ${JSON.stringify(name)}, whenMatched: "keepExisting" } }`,
      ),
    },
    ...onlyIf(
      others.length === 0 && only.path !== '_id',
      `If nobody needs them at all, a TTL index on \`${only.path}\` deletes them for good, as fast as it can. Begin with the age of the oldest, and lower it by collMod in steps, down to ${plural(Math.ceil(only.oldestMs / MS_PER_DAY), 'day')}.`,
    ),
    'If they must stay, keep them out of the indexes: a partial index from a fixed day on holds the new ones only, and serves queries that ask for later days. Renew it once a year.',
    'Check that queries find what they did, and run `compact` on secondaries to give the space back (see reusable-space).',
  );
}

/** The beginning of the day (UTC) as far back as the recorded operations reach. */
function cutoff({ path, oldestMs }: Bound, asOf: number): string {
  const day = Math.floor((asOf - oldestMs) / MS_PER_DAY) * MS_PER_DAY;
  return path === '_id'
    ? `ObjectId.createFromTime(${Math.max(0, day / MS_PER_SECOND)})`
    : `ISODate("${formatDay(day)}")`;
}
