import type { EvidenceRun } from '../../src/evidence/evidence-run.js';
import type { KeptCollection } from '../../src/evidence/source.js';
import type { IndexDescription } from '../../src/inventory/collection.js';
import { present } from '../../src/presence.js';
import { judgedRun } from './judged-run.js';
import type { Dimension } from './measured-phases.js';
import { recordedLines, replicatedRun } from './replicated-cluster.js';

const COLLECTIONS = 85;
const SINCE = Date.UTC(2026, 9, 1);
const READ_AT = Date.UTC(2026, 10, 21);
const ID: IndexDescription = described({ _id: 1 }, '_id_');

/** Indexes of each of 85 collections; a server allows 64. */
export async function indexesDimension(sizes: readonly number[]): Promise<Dimension> {
  const lines = await recordedLines();
  return {
    name: 'indexes of each collection',
    sizes,
    begin(size) {
      const run = replicatedRun(lines, COLLECTIONS);
      const indexes = [ID, ...Array.from({ length: size - 1 }, (_, index) => indexOf(index))];
      const ofTenants = indexes.map((each) => (each === ID ? ID : { ...each, key: { tenant: 1, ...each.key } }));
      return {
        'judge 85 collections': () => judgedRun(withIndexes(run, indexes)),
        'judge those whose indexes begin with the same field': () => judgedRun(withIndexes(run, ofTenants)),
      };
    },
  };
}

/** Every fourth is the beginning of the next. */
function indexOf(index: number): IndexDescription {
  const own = Math.floor(index / 4);
  const key = index % 4 === 0 ? { [`own_${own}`]: 1 } : { [`own_${own}`]: 1, [`more_${index}`]: -1 };
  return described(key, `index_${index}`);
}

function described(key: IndexDescription['key'], name: string): IndexDescription {
  return { name, key, unique: false, sparse: false, hidden: false, clustered: false };
}

function withIndexes(run: EvidenceRun, indexes: readonly IndexDescription[]): EvidenceRun {
  return {
    ...run,
    ofCollections: (take) => run.ofCollections((collected) => take(indexed(collected, indexes))),
  };
}

function indexed({ collection, evidence }: KeptCollection, indexes: readonly IndexDescription[]): KeptCollection {
  if (collection.kind !== 'collection') return { collection, evidence };
  const accesses = Object.fromEntries(indexes.map(({ name }, index) => [name, { accesses: index % 3, since: SINCE }]));
  const usage = { readAt: READ_AT, nodesNotAsked: 0, nodes: [{ node: 'the primary', indexes: accesses }] };
  return { collection, evidence: { ...evidence, indexes: present(indexes), indexUsage: present(usage) } };
}
