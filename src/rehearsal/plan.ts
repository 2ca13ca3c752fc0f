import type { Document } from 'mongodb';
import { RUNS } from './replay.js';
import type { ScaledCollection } from './scaled-collection.js';
import type { Scratch } from './scratch.js';
import type { SourceCollection } from './source.js';

/** What a rehearsal is about to do, and about how long that takes. */
export interface RehearsalPlan {
  readonly collections: number;
  readonly documents: number;
  readonly bytes: number;
  readonly operations: number;
  readonly milliseconds: number;
}

/** Documents that are built to see how fast that is here. */
const PROBED = 500;
const PROBE = 'probe';
/** Today's indexes and the advised ones are run, and constants are tried until they return what was recorded. Judgement. */
const ROUNDS = 3;

/**
 * How much there is to do, and how long it takes at the pace at which this server builds and scans some documents of the
 * largest collection.
 *
 * @param namespaces the collections that the operations read, one for each
 */
export async function plannedRehearsal(
  scratch: Scratch,
  scaled: ReadonlyMap<string, ScaledCollection>,
  sources: ReadonlyMap<string, SourceCollection>,
  namespaces: readonly string[],
): Promise<RehearsalPlan> {
  const sizes = [...scaled].map(([namespace, { size }]) => ({
    namespace,
    documents: size,
    bytes: size * (sources.get(namespace)?.averageBytes ?? 0),
  }));
  const [largest] = sizes.toSorted((one, other) => other.bytes - one.bytes);
  const probed = largest === undefined ? undefined : scaled.get(largest.namespace);
  const sumOf = (of: (size: (typeof sizes)[number]) => number) => sizes.reduce((sum, size) => sum + of(size), 0);
  const amount = {
    collections: sizes.length,
    documents: sumOf(({ documents }) => documents),
    bytes: sumOf(({ bytes }) => bytes),
    operations: namespaces.length,
  };
  if (largest === undefined || probed === undefined) return { ...amount, milliseconds: 0 };
  const count = Math.min(PROBED, probed.size);
  const { build, scan, each } = await paceOf(scratch, count, (index) => probed.document(index));
  const shareOfBytes = (largest.bytes / largest.documents) * count;
  const scanned = namespaces.reduce((sum, namespace) => sum + (scaled.get(namespace)?.size ?? 0), 0);
  const building = Math.max((build * amount.bytes) / Math.max(1, shareOfBytes), (build * amount.documents) / count / 2);
  const running = RUNS * ROUNDS * (each * namespaces.length + (scan * scanned) / count);
  return { ...amount, milliseconds: building + running };
}

/** Milliseconds to build some documents, to scan them, and of each command. */
async function paceOf(
  scratch: Scratch,
  count: number,
  document: (index: number) => Document,
): Promise<{ readonly build: number; readonly scan: number; readonly each: number }> {
  try {
    await scratch.create(PROBE, {});
    const begin = performance.now();
    await scratch.insert(PROBE, count, document);
    const build = performance.now() - begin;
    const timeOf = async (command: Document) => {
      const asked = performance.now();
      await scratch.explain(command, 0);
      return performance.now() - asked;
    };
    const each = await timeOf({ find: PROBE, limit: 1 });
    const all = await timeOf({ find: PROBE, filter: { [PROBE]: PROBE } });
    return { build, scan: Math.max(0, all - each), each };
  } finally {
    await scratch.drop();
  }
}
