import type { ClusterReader, Member } from '../../connect/cluster-reader.js';
import { formatCount, plural } from '../../format.js';
import { absent, type Absent } from '../../presence.js';

const PRIMARY = 'the primary';

export interface Nodes {
  /** Members of the replica set, or the one server; behind mongos, mongos only. */
  readonly asked: readonly [Member, ...Member[]];
  readonly isMongos: boolean;
  readonly gap: Absent | null;
}

/** Each node holds the operations that ran on it, so they are never counted twice. @throws if no node answers. */
export async function nodesToAsk(reader: ClusterReader): Promise<Nodes> {
  const primary = reader.withReadPreference('primaryPreferred');
  if (reader.capabilities.isRouter) return { asked: [{ name: 'mongos', reader: primary }], isMongos: true, gap: null };
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
    `${formatCount(silent.length)} of ${all} of the replica set did not answer, so the operations there are unknown (${[...new Set(silent)].join('; ')}).`,
  );
}
