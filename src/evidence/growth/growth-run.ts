import { MongoServerError } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import type { Cluster } from '../../connect/connect.js';
import { ATLAS_ERROR } from '../../connect/server-error.js';
import type { Collection } from '../../inventory/collection.js';
import type { SampledDocuments } from '../documents/sample.js';
import { absent, type Absent, type Evidence } from '../evidence.js';
import type { GrowthEvidence } from './growth.js';
import type { HistoryFile } from './history-file.js';
import type { RecordedCollection } from './history-record.js';
import { HISTORY_SCHEMA_VERSION } from './history-version.js';
import { measureGrowth, type GrowthInput } from './measure-growth.js';
import { readOplog, readOplogOf, type OplogReading } from './oplog.js';
import { summarize } from './quantile-summary.js';

/** What the collections of a run share whose growth is measured: the oplog, which is read once, and the history of runs. */
export class GrowthRun {
  private readonly reading: Promise<Evidence<OplogReading>> | null;
  private readonly measured: RecordedCollection[] = [];

  /**
   * Begins to read the oplog, which takes a while in which other things can be done.
   *
   * @param history the open file of `--history`, if there is one
   * @param isJudged whether a check judges growth; else it is only recorded, and the oplog is left alone
   */
  constructor(
    private readonly reader: ClusterReader,
    cluster: Cluster,
    private readonly history: HistoryFile | null,
    private readonly startedAt: Date,
    isJudged: boolean,
  ) {
    this.reading = isJudged ? readOplog(reader, cluster) : null;
  }

  /** Whether what is sampled is to be measured even if no check needs it. */
  get isRecorded(): boolean {
    return this.history !== null;
  }

  /**
   * Measures the growth of a sampled collection.
   *
   * @param count documents of the collection
   */
  async measure(collection: Collection, count: number, { evidence, growth }: SampledDocuments): Promise<GrowthEvidence> {
    const input: GrowthInput = {
      sample: evidence.sample,
      profile: evidence.profile,
      profiled: growth,
      documents: count,
      oplog: await this.oplogOf(collection),
      uuid: collection.uuid ?? null,
      records: this.history?.records ?? [],
      now: this.startedAt.getTime(),
    };
    this.record(collection, input);
    return measureGrowth(input);
  }

  /** Why the oplog could not be read; null where it could, or was not to be. */
  async unreadOplog(): Promise<Absent | null> {
    const reading = await this.reading;
    return reading === null || reading.present || isAtlasTier(reading) ? null : reading;
  }

  /**
   * Adds what was measured to the history.
   *
   * @throws LintError where it can't be written
   */
  async finish(): Promise<void> {
    if (this.history === null || this.measured.length === 0) return;
    await this.history.add({ schemaVersion: HISTORY_SCHEMA_VERSION, at: this.startedAt.toISOString(), collections: this.measured });
  }

  private async oplogOf({ namespace, uuid }: Collection): Promise<GrowthInput['oplog']> {
    const shared = (await this.reading) ?? NOT_READ;
    const reading = !shared.present && isAtlasTier(shared) ? await readOplogOf(this.reader, namespace) : shared;
    if (!reading.present) return reading;
    const { window, arrays } = reading.value;
    return { present: true, value: { window, activities: arrays.get(uuid ?? '') ?? [] } };
  }

  private record({ namespace, uuid }: Collection, { profile, profiled, documents, sample }: GrowthInput): void {
    const sizes = [...profiled.sample.documentSizes];
    if (this.history === null || uuid === undefined || sizes.length === 0) return;
    const arrays = [...profiled.lengths].flatMap(([path, { columns }]) =>
      columns.lengths.length === 0 ? [] : [{ path, lengths: summarize([...columns.lengths]) }],
    );
    this.measured.push({
      namespace,
      uuid,
      documents,
      complete: sample.complete && sizes.length === profile.documents,
      sizes: summarize(sizes),
      arrays,
    });
  }
}

const NOT_READ = absent('insufficient', 'no enabled check asked for the oplog.');

/** Atlas's shared tiers allow no read of the whole oplog, but one for a namespace. */
function isAtlasTier({ error }: Absent): boolean {
  return error instanceof MongoServerError && error.code === ATLAS_ERROR;
}
