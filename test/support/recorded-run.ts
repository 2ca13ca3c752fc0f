import type { EvidenceRun } from '../../src/evidence/evidence-run.js';
import type { KeptCollection } from '../../src/evidence/source.js';

/** A run that keeps what it hands on, and the same run once more, from memory. */
export interface RecordedRun {
  readonly run: EvidenceRun;
  readonly again: EvidenceRun;
}

/** Two ways to use a run that can be read only once: what is read next time may differ. */
export function recordedRun(live: EvidenceRun): RecordedRun {
  const collected: KeptCollection[] = [];
  const known: Record<string, unknown> = {};
  const remembered = async <Value>(name: string, read: () => Promise<Value>): Promise<Value> =>
    (known[name] ??= await read()) as Value;
  const end = () => remembered('end', async () => ({ ...(await live.end()), finishedAt: new Date() }));
  const user = () => remembered('user', () => live.user());
  return {
    run: {
      ...live,
      ofCollections: (take) =>
        live.ofCollections((one) => {
          collected.push(one);
          return take(one);
        }),
      ofCluster: (kept) => remembered('cluster', () => live.ofCluster(kept)),
      end,
      user,
    },
    again: {
      ...live,
      async ofCollections(take) {
        const inOrder = collected.toSorted((one, other) =>
          one.collection.namespace < other.collection.namespace ? -1 : 1,
        );
        return Promise.all(inOrder.map((one) => take(one)));
      },
      ofCluster: (kept) => remembered('cluster', () => live.ofCluster(kept)),
      end,
      user,
    },
  };
}
