import { createHash } from 'node:crypto';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Collection } from '../inventory/collection.js';
import type { Evidence } from '../presence.js';
import type { SampledDocuments } from '../profile/sample.js';
import type { GrowthEvidence } from './growth.js';
import type { HistoryFile, HistoryRecord } from './history-file.js';
import { HISTORY_SCHEMA_VERSION } from './limits.js';
import { keptGrowth, measureGrowth, type GrowthInput } from './measure-growth.js';
import type { OplogSample } from './oplog.js';
import { PresentLengths } from './present-lengths.js';

/** Measures how collections grow, and records it for later runs if there is a history. */
export class GrowthRun {
  private readonly lengths: PresentLengths;
  private readonly measured: HistoryRecord['collections'][number][] = [];

  /** @param history that of `--history`  @param isCarried whether what is measured is written to a file, for other runs to compare with */
  constructor(
    reader: ClusterReader,
    private readonly history: HistoryFile | null,
    private readonly startedAt: Date,
    private readonly isCarried = false,
  ) {
    this.lengths = new PresentLengths(reader);
  }

  /** Whether what is sampled is to be measured even if no check needs it. */
  get isRecorded(): boolean {
    return this.history !== null;
  }

  /** @param stored documents of the collection, and their bytes on average, null if that is unknown  @param oplog of the whole server */
  async measure(
    collection: Collection,
    stored: { readonly count: number; readonly averageBytes: number | null },
    { evidence, growth }: SampledDocuments,
    oplog: Evidence<OplogSample>,
  ): Promise<GrowthEvidence> {
    const { namespace, uuid } = collection;
    const input: GrowthInput = {
      sample: evidence.sample,
      profile: evidence.profile,
      profiled: growth,
      documents: stored.count,
      oplog: oplog.present ? await this.lengths.of(collection, stored.averageBytes, oplog.value) : oplog,
      earlier: uuid === undefined ? [] : (this.history?.runsOf(uuid) ?? []),
      salt: this.history?.salt ?? null,
      now: this.startedAt.getTime(),
    };
    const measured = measureGrowth(input);
    if (uuid === undefined) return measured;
    const kept = this.history === null ? null : keptGrowth(input, measured, this.history.salt);
    if (kept !== null) this.measured.push({ ...kept, namespace, uuid });
    const carried = this.isCarried ? keptGrowth(input, measured, carriedSalt(uuid)) : null;
    return carried === null ? measured : { ...measured, carried };
  }

  /** Adds what was measured to the history. @throws LintError if it can't be written */
  async finish(): Promise<void> {
    if (this.history === null || this.measured.length === 0) return;
    const { salt } = this.history;
    const at = this.startedAt.toISOString();
    await this.history.add({ schemaVersion: HISTORY_SCHEMA_VERSION, at, salt, collections: this.measured });
  }
}

/** The same in each file of a collection, and unknown to whoever has the files alone: they hold another hash of the UUID. */
function carriedSalt(uuid: string): string {
  return createHash('sha256').update(`mongolint sketch ${uuid}`).digest('hex');
}
