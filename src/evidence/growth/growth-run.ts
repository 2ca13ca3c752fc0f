import type { ClusterReader } from '../../connect/cluster-reader.js';
import type { Cluster } from '../../connect/connect.js';
import { formatCount } from '../../format.js';
import type { Collection } from '../../inventory/collection.js';
import type { SampledDocuments } from '../documents/sample.js';
import { absent, type Absent, type Evidence } from '../../presence.js';
import type { GrowthEvidence } from './growth.js';
import type { HistoryFile } from './history-file.js';
import type { RecordedCollection } from './history-record.js';
import { HISTORY_SCHEMA_VERSION } from './history-version.js';
import { measureGrowth, type GrowthInput } from './measure-growth.js';
import { isReadableByNamespace, OplogByNamespace, readOplog } from './oplog.js';
import type { OplogReading } from './oplog-reader.js';
import { summarize } from './quantile-summary.js';

/** What the collections of a run share whose growth is measured: the oplog, which is read once, and the history of runs. */
export class GrowthRun {
  private readonly reading: Promise<Evidence<OplogReading>> | null;
  private readonly byNamespace: OplogByNamespace;
  private readonly measured: RecordedCollection[] = [];

  /**
   * Begins to read the oplog, which takes a while in which other things can be done.
   *
   * @param history the open file of `--history`, if there is one
   * @param isJudged whether a check judges growth; else it is only recorded, and the oplog is left alone
   */
  constructor(
    reader: ClusterReader,
    cluster: Cluster,
    private readonly history: HistoryFile | null,
    private readonly startedAt: Date,
    isJudged: boolean,
  ) {
    this.reading = isJudged ? readOplog(reader, cluster) : null;
    this.byNamespace = new OplogByNamespace(reader);
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
  async measure(
    collection: Collection,
    count: number,
    { evidence, growth }: SampledDocuments,
  ): Promise<GrowthEvidence> {
    const input: GrowthInput = {
      sample: evidence.sample,
      profile: evidence.profile,
      profiled: growth,
      documents: count,
      oplog: await this.oplogOf(collection),
      uuid: collection.uuid ?? null,
      records: this.history?.records ?? [],
      now: this.startedAt.getTime(),
      elapsed: Date.now() - this.startedAt.getTime(),
    };
    this.record(collection, input);
    return measureGrowth(input);
  }

  /** Why the oplog could not be read, or a good part of what was read of it; null where it could, or was not to be. */
  async unreadOplog(): Promise<Absent | null> {
    const reading = await this.reading;
    if (reading === null) return null;
    if (!reading.present) return isReadableByNamespace(reading) ? null : reading;
    const { entries, unread, window } = reading.value;
    if (window.unreadShare < MOST_UNREAD_SHARE) return null;
    const detail = `reading the oplog: the updates in ${formatCount(unread)} of ${formatCount(entries)} entries were not read: they are larger than 64 KB, parts of prepared transactions, or of an unknown form.`;
    return absent('bound', detail);
  }

  /**
   * Adds what was measured to the history.
   *
   * @throws LintError where it can't be written
   */
  async finish(): Promise<void> {
    if (this.history === null || this.measured.length === 0) return;
    await this.history.add({
      schemaVersion: HISTORY_SCHEMA_VERSION,
      at: this.startedAt.toISOString(),
      collections: this.measured,
    });
  }

  private async oplogOf({ namespace, uuid }: Collection): Promise<GrowthInput['oplog']> {
    const shared = (await this.reading) ?? NOT_READ;
    const reading = !shared.present && isReadableByNamespace(shared) ? await this.byNamespace.read(namespace) : shared;
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

/** Share of the oplog's entries that may be left unread without a word: some bulk load is always on. */
const MOST_UNREAD_SHARE = 0.1;

const NOT_READ = absent('insufficient', 'no enabled check asked for the oplog.');
