import type { ClusterReader } from '../../connect/cluster-reader.js';
import type { Cluster } from '../../connect/connect.js';
import type { Collection } from '../../inventory/collection.js';
import type { SampledDocuments } from '../../profile/sample.js';
import { present, type Evidence } from '../../presence.js';
import type { SampleMethod } from '../../profile/sampling/sample-plan.js';
import { carriedGrowth } from './carried-growth.js';
import type { GrowthEvidence } from './growth.js';
import type { HistoryFile } from './history/history-file.js';
import type { RecordedCollection } from './history/history-record.js';
import { HISTORY_SCHEMA_VERSION } from './history/history-version.js';
import { measureGrowth, type GrowthInput } from './measure-growth.js';
import { isReadableByNamespace, OplogByNamespace } from './oplog/oplog.js';
import { LengthLookUp } from './length-look-up.js';
import type { DrawnOplog } from './oplog/even-draw.js';
import { recordedCollection } from './recorded-collection.js';

const NATURAL_ORDER: ReadonlySet<SampleMethod> = new Set(['whole-collection', 'natural-order']);

/** Measures how collections grow, and records it for later runs if there is a history. */
export class GrowthRun {
  private readonly byNamespace: OplogByNamespace;
  private readonly lengths: LengthLookUp;
  private readonly measured: RecordedCollection[] = [];

  /**
   * @param readFrom the kind of node that documents are read from
   * @param history the open file of `--history`, if there is one
   * @param isCarried whether what is measured is written to a file, for other runs to compare with
   */
  constructor(
    reader: ClusterReader,
    private readonly readFrom: Cluster['readFrom'],
    private readonly history: HistoryFile | null,
    private readonly startedAt: Date,
    private readonly isCarried = false,
  ) {
    this.byNamespace = new OplogByNamespace(reader);
    this.lengths = new LengthLookUp(reader);
  }

  /** Whether what is sampled is to be measured even if no check needs it. */
  get isRecorded(): boolean {
    return this.history !== null;
  }

  /**
   * Measures the growth of a sampled collection.
   *
   * @param stored its documents, their bytes in all and on average, null if that is unknown
   * @param oplog what was drawn from the oplog of the whole server
   */
  async measure(
    collection: Collection,
    stored: { readonly count: number; readonly bytes: number | null; readonly averageBytes: number | null },
    { evidence, growth }: SampledDocuments,
    oplog: Evidence<DrawnOplog>,
  ): Promise<GrowthEvidence> {
    const input: GrowthInput = {
      sample: evidence.sample,
      profile: evidence.profile,
      profiled: growth,
      isInOrder: this.isReadInOrder(collection, evidence.sample.method),
      documents: stored.count,
      bytes: stored.bytes,
      oplog: await this.oplogOf(collection, stored.averageBytes, oplog),
      uuid: collection.uuid ?? null,
      records: this.history?.records ?? [],
      salt: this.history?.salt ?? null,
      now: this.startedAt.getTime(),
      elapsed: Date.now() - this.startedAt.getTime(),
    };
    const measured = measureGrowth(input);
    const recorded = this.history === null ? null : recordedCollection(collection, input, measured);
    if (recorded !== null) this.measured.push(recorded);
    const carried = this.isCarried ? carriedGrowth(collection, input, measured) : null;
    return carried === null ? measured : { ...measured, carried };
  }

  /**
   * Adds what was measured to the history.
   *
   * @throws LintError if it can't be written
   */
  async finish(): Promise<void> {
    if (this.history === null || this.measured.length === 0) return;
    await this.history.add({
      schemaVersion: HISTORY_SCHEMA_VERSION,
      at: this.startedAt.toISOString(),
      salt: this.history.salt,
      collections: this.measured,
    });
  }

  /** Natural order is the order of insertion on one primary: a secondary keeps another one, and so does a merge of shards. */
  private isReadInOrder({ sharding }: Collection, method: SampleMethod): boolean {
    return NATURAL_ORDER.has(method) && this.readFrom === 'primary' && sharding === undefined;
  }

  private async oplogOf(
    collection: Collection,
    averageBytes: number | null,
    shared: Evidence<DrawnOplog>,
  ): Promise<GrowthInput['oplog']> {
    if (shared.present) return this.lengths.lookUp(collection, averageBytes, shared.value);
    if (!isReadableByNamespace(shared)) return shared;
    const reading = await this.byNamespace.read(collection.namespace);
    if (!reading.present) return reading;
    const { window, arrays } = reading.value;
    return present({ window, activities: arrays.get(collection.uuid ?? '') ?? [] });
  }
}
