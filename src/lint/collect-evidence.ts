import type { FooterLine } from '../evidence-file/evidence-lines.js';
import type { Pseudonyms } from '../evidence-file/pseudonyms/pseudonyms.js';
import type { KeptCollection } from '../evidence/source.js';
import type { Skipped } from '../finding.js';
import { leftOut } from '../findings/left-out.js';
import type { Absent, Evidence } from '../presence.js';
import type { LintProgress } from './lint.js';
import { withLiveRun, type OpenRun } from './open-run.js';
import { collectingSettings, type ReadingOptions } from './reading-options.js';

export interface CollectEvidenceOptions extends Omit<ReadingOptions, 'known'> {
  /** Gzipped if its name ends in ".gz". Replaced if it exists. */
  readonly output: string;
  /** The alias of the configuration. */
  readonly target?: string;
  /** Stand-ins for all names in the file. */
  readonly pseudonyms?: Pseudonyms;
  readonly onProgress?: (progress: LintProgress) => void;
}

/** A run whose evidence was written. */
export interface CollectedRun {
  readonly footer: FooterLine;
  /** What could not be read, as the file says. */
  readonly unread: readonly Pick<Skipped, 'reason' | 'detail'>[];
}

/**
 * Reads a cluster as `lint` does, and writes the evidence instead of judging it. `showValues` has no effect: no value of a
 * document is written.
 *
 * @throws LintError if the cluster can't be read at all, or the file can't be written
 */
export function collectEvidence({
  output,
  target,
  pseudonyms,
  onProgress,
  ...options
}: CollectEvidenceOptions): Promise<CollectedRun> {
  const read = async ({ run, plan }: OpenRun): Promise<CollectedRun> => {
    const { marksOf } = await import('../evidence-file/cluster-identity.js');
    const { writeEvidence } = await import('../evidence-file/write-evidence.js');
    const total = run.inventory.collections.length;
    const unread: Skipped[] = [];
    let done = 0;
    const footer = await writeEvidence(output, {
      run,
      plan,
      settings: collectingSettings(options),
      collections: total,
      marks: marksOf(run.inventory.collections),
      ...(target !== undefined && { target }),
      ...(pseudonyms !== undefined && { pseudonyms }),
      onCollection(collected) {
        done += 1;
        onProgress?.({ done, total, namespace: collected.collection.namespace });
        unread.push(...unreadOf(collected));
      },
      onCluster: (evidence) => void unread.push(...absentPieces(evidence)),
    });
    const ofInventory = run.inventory.unlisted.map(({ absent }) => absent);
    return { footer, unread: [...ofInventory, ...footer.gaps.map(({ gap }) => gap), ...unread] };
  };
  return withLiveRun({ ...options, showValues: false }, read, { isCarried: true });
}

/** Each piece that is absent, once for what several rest on, and what of the documents was left out. */
function unreadOf({ collection, evidence }: KeptCollection): readonly Skipped[] {
  return [...absentPieces(evidence), ...leftOut(collection, evidence)];
}

function absentPieces(pieces: Readonly<Record<string, Evidence<unknown> | undefined>>): readonly Skipped[] {
  const absent = Object.values(pieces).filter((piece): piece is Absent => piece?.present === false);
  const distinct = new Map(absent.map(({ reason, detail }) => [`${reason} ${detail}`, { check: '*', reason, detail }]));
  return [...distinct.values()];
}
