import type { ClusterReader, Member } from '../../connect/cluster-reader.js';
import { formatCount, plural } from '../../format.js';
import { absent, type Absent } from '../../presence.js';

/** What `members` names the member that takes the writes. */
const PRIMARY = 'the primary';

/** The nodes that keep a profiler, a log and counters of their own. */
export interface Nodes {
  /** Members of the replica set, or the one server; behind mongos, mongos alone. */
  readonly asked: readonly [Member, ...Member[]];
  readonly isMongos: boolean;
  /** That there are members that did not answer; null where there are none. */
  readonly gap: Absent | null;
}

/**
 * Finds the nodes to ask. Each holds the operations that ran on it, so that those of one are not those of another.
 *
 * @throws the server's or driver's error where no node answers.
 */
export async function nodesToAsk(reader: ClusterReader): Promise<Nodes> {
  const primary = reader.withReadPreference('primaryPreferred');
  const hello = await primary.command('admin', { hello: 1 });
  if (hello['msg'] === 'isdbgrid') return { asked: [{ name: 'mongos', reader: primary }], isMongos: true, gap: null };
  const { answering, silent } = await reader.members();
  const primaryFirst = [...answering].sort(
    (one, other) => Number(other.name === PRIMARY) - Number(one.name === PRIMARY),
  );
  const [first = { name: 'the server', reader: primary }, ...others] = primaryFirst;
  return { asked: [first, ...others], isMongos: false, gap: silent.length === 0 ? null : silence(answering, silent) };
}

function silence(answering: readonly Member[], silent: readonly string[]): Absent {
  const all = plural(answering.length + silent.length, 'member');
  return absent(
    'insufficient',
    `${formatCount(silent.length)} of ${all} of the replica set did not tell of its operations (${[...new Set(silent)].join('; ')}).`,
  );
}
