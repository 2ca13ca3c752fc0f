import { deflateSync, inflateSync } from 'node:zlib';
import { present, type Absent } from '../presence.js';
import type { EvidenceRun } from '../evidence/evidence-run.js';
import { grownSince } from '../evidence/growth/carried-growth.js';
import type { EarlierCollection } from '../evidence/growth/collection-runs.js';
import { shortened } from '../evidence/growth/tracked/document-sketch.js';
import type { CarriedGrowth } from '../evidence/growth/growth.js';
import type { KeptCollection } from '../evidence/source.js';
import { fromJson, toJson } from './plain-data.js';
import { readEvidence } from './read-evidence.js';

const LEVEL = 1;
/** Of all that is held of earlier files. With more, each sketch is of fewer documents. */
const MOST_BYTES = 64 * 1024 * 1024;
const SIZES = [Infinity, 100, 50, 25, 12] as const;

class EarlierGrowth {
  private readonly held = new Map<string, { readonly at: number; bytes: Buffer }[]>();
  private bytes = 0;
  private size = 0;

  add(uuid: string, at: number, carried: CarriedGrowth): void {
    const bytes = this.packed(carried);
    const ofCollection = this.held.get(uuid) ?? [];
    this.held.set(uuid, ofCollection);
    ofCollection.push({ at, bytes });
    this.bytes += bytes.length;
    while (this.bytes > MOST_BYTES && this.size < SIZES.length - 1) this.shorten();
  }

  of(uuid: string): EarlierCollection[] {
    const held = (this.held.get(uuid) ?? []).toSorted((one, other) => one.at - other.at);
    return held.map(({ at, bytes }) => ({ at, collection: unpacked(bytes) }));
  }

  private packed({ sketch, ...rest }: CarriedGrowth): Buffer {
    const most = SIZES[this.size] ?? 0;
    const kept = { ...rest, ...(sketch !== undefined && { sketch: shortened(sketch, most) }) };
    // Copied: what zlib gives keeps a buffer of 16 KB.
    return Buffer.from(deflateSync(JSON.stringify(toJson(kept)), { level: LEVEL }));
  }

  private shorten(): void {
    this.size += 1;
    this.bytes = 0;
    for (const one of [...this.held.values()].flat()) {
      one.bytes = this.packed(unpacked(one.bytes));
      this.bytes += one.bytes.length;
    }
  }
}

function unpacked(bytes: Buffer): CarriedGrowth {
  return fromJson(JSON.parse(inflateSync(bytes).toString('utf8'))) as CarriedGrowth;
}

/**
 * Adds to a run what earlier files of its cluster show of growth.
 *
 * @param timeOver why no more is read of them; null as long as there is time
 * @throws LintError if a file can't be used
 */
export async function withEarlierFiles(
  files: readonly string[],
  timeOver: () => Absent | null,
): Promise<(run: EvidenceRun) => EvidenceRun> {
  const earlier = new EarlierGrowth();
  for (const file of files) if (timeOver() === null) await addFile(file, earlier, timeOver);
  return (run) => ({
    ...run,
    ofCollections: (take) => run.ofCollections((collected) => take(grown(collected, run.startedAt, earlier))),
  });
}

async function addFile(file: string, earlier: EarlierGrowth, timeOver: () => Absent | null): Promise<void> {
  const run = await readEvidence(file, timeOver);
  try {
    await run.ofCollections(({ collection: { uuid }, evidence: { growth } }) => {
      if (uuid === undefined || growth?.present !== true || growth.value.carried === undefined) return;
      earlier.add(uuid, run.startedAt.getTime(), growth.value.carried);
    });
    // To its end, so that a file that is cut off is refused.
    await run.ofCluster([]);
  } finally {
    await run.close();
  }
}

function grown(collected: KeptCollection, startedAt: Date, earlier: EarlierGrowth): KeptCollection {
  const { collection, evidence } = collected;
  const { growth, documents } = evidence;
  if (collection.uuid === undefined || growth?.present !== true || documents?.present !== true) return collected;
  const since = grownSince(growth.value, startedAt.getTime(), documents.value.profile, earlier.of(collection.uuid));
  return { ...collected, evidence: { ...evidence, growth: present(since) } };
}
