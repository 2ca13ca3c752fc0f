import { MS_PER_DAY } from '../../time-units.js';
import type { DocumentProfile, DocumentSample, PathProfile } from '../../profile/document-profile.js';
import type { ProfiledGrowth } from '../../profile/document-profiler.js';
import { absent, present, type Evidence } from '../../presence.js';
import { ageGrowth, FEWEST_AGED_DOCUMENTS, SHORTEST_AGE_SPAN } from './ages/age-growth.js';
import type { ArrayActivity, OplogWindow } from './oplog/array-activity.js';
import { CollectionRuns } from './collection-runs.js';
import { areMostOlder } from './combine-growth.js';
import { creationTimes, told, type CreationTimes } from './ages/creation-times.js';
import type { ArrayGrowth, GrowthEvidence, SizeGrowth, SourceWindow } from './growth.js';
import type { CurrentRun } from './history/run-comparison.js';
import type { HistoryRecord } from './history/history-record.js';
import { withoutSketch } from './history/history-sketches.js';
import { drawnGrowth } from './writes/drawn-growth.js';
import type { DrawnWindow, DrawnWrite } from './oplog/drawn-writes.js';
import { byPath } from './oplog/oplog-paths.js';
import { oplogGrowth, type OplogGrowth } from './writes/oplog-growth.js';
import { sampledDocuments } from './tracked/tracked-sample.js';

export interface GrowthInput {
  readonly sample: DocumentSample;
  readonly profile: DocumentProfile;
  readonly profiled: ProfiledGrowth;
  /** Whether the documents were read in the order of their insertion. */
  readonly isInOrder: boolean;
  readonly documents: number;
  readonly bytes: number | null;
  readonly oplog: Evidence<OplogOfCollection>;
  /** The collection's own UUID in hexadecimal, by which it is found in the earlier runs. */
  readonly uuid: string | null;
  readonly records: readonly HistoryRecord[];
  /** That of the history's sketches; null without a history. */
  readonly salt: string | null;
  readonly now: number;
  /** In ms since `now`: meanwhile the oplog was read and the sample taken. */
  readonly elapsed: number;
}

/** What was read of the oplog about a collection: stretches of it without gaps, or entries drawn evenly. */
export type OplogOfCollection =
  | { readonly window: OplogWindow; readonly activities: readonly ArrayActivity[] }
  | { readonly drawnFrom: DrawnWindow; readonly writes: readonly (DrawnWrite & { readonly path: string })[] };

export function measureGrowth(input: GrowthInput): GrowthEvidence {
  return new CollectionGrowth(input).evidence();
}

class CollectionGrowth {
  private readonly times: CreationTimes | null;
  private readonly isOfManyAges: boolean;
  private readonly arrayPaths: readonly PathProfile[];
  private readonly oplogAt: (path: string) => OplogGrowth | null;
  private readonly runs: CollectionRuns;

  constructor(private readonly input: GrowthInput) {
    const { profile, profiled, isInOrder, oplog, uuid, records, now } = input;
    this.times = creationTimes(profiled.sample, isInOrder, now);
    this.arrayPaths = profile.paths.filter(({ array }) => array !== undefined);
    this.isOfManyAges = this.times !== null && this.times.spanDays >= SHORTEST_AGE_SPAN;
    this.oplogAt = oplog.present
      ? oplogGrowthByPath(
          oplog.value,
          this.arrayPaths.map(({ path }) => path),
        )
      : () => null;
    const earlier = records.flatMap(({ at, salt, collections }) => {
      const collection = collections.find((one) => one.uuid === uuid);
      const isOfSalt = salt === input.salt;
      return collection === undefined
        ? []
        : [{ at: Date.parse(at), collection: isOfSalt ? collection : withoutSketch(collection) }];
    });
    const { salt, documents, bytes, sample } = input;
    const { size } = profiled.sample;
    this.runs = new CollectionRuns(earlier, {
      at: now,
      documents,
      bytes,
      sampled: size,
      complete: sample.complete && size === profile.documents,
      tests: this.arrayPaths.length + 1,
      tracked: salt === null || uuid === null ? null : () => sampledDocuments(profiled, salt),
    });
  }

  evidence(): GrowthEvidence {
    return {
      arrays: this.arrayPaths.map((path) => this.array(path)),
      sizes: this.sizes(),
      sources: { age: this.ageSource(), oplog: this.oplogSource(), history: this.runs.source('--history') },
      ...this.runs.count(),
    };
  }

  private array(path: PathProfile): ArrayGrowth {
    const oplog = this.oplogAt(path.path);
    // Most collections have nothing to compare with, so nothing is prepared for them.
    const values =
      this.isOfManyAges || !this.runs.isFirst || oplog?.shape === 'growing' ? this.lengthsAt(path.path) : [];
    const created = values.flatMap(({ time }) => (time === null ? [] : [time]));
    const seen = { age: this.byAge(values, 'elements'), oplog, mostAreOlder: areMostOlder(created, oplog) };
    const { elapsed, profile } = this.input;
    return this.runs.array(path, values, { ...seen, daysApart: elapsed / MS_PER_DAY }, profile);
  }

  private sizes(): SizeGrowth {
    if (!this.isOfManyAges && this.runs.isFirst) return { age: null, history: null, growth: null, forecast: null };
    const values = [...this.input.profiled.sample.documentSizes].map((value, index) => ({
      value,
      time: this.timeOf(index),
    }));
    return this.runs.sizes(values, this.byAge(values, 'bytes'));
  }

  private lengthsAt(path: string): CurrentRun['values'] {
    const { sample, lengths } = this.input.profiled;
    const columns = lengths.get(path)?.columns;
    if (columns === undefined) return [];
    return Array.from(columns.lengths, (value, index) => ({
      value,
      time: this.timeOf(sample.indexOf(columns.documents[index] as number)),
    }));
  }

  private timeOf(index: number): number | null {
    const time = this.times?.times[index] ?? NaN;
    return Number.isNaN(time) ? null : time;
  }

  private byAge(values: CurrentRun['values'], unit: 'elements' | 'bytes'): ArrayGrowth['age'] {
    if (!this.isOfManyAges) return null;
    const { now, documents } = this.input;
    const aged = values.flatMap(({ value, time }) =>
      time === null ? [] : [{ value, age: (now - time) / MS_PER_DAY }],
    );
    const share = Math.min(1, this.input.profiled.sample.size / Math.max(1, documents));
    return ageGrowth(aged, { unit, share }, this.arrayPaths.length + 1);
  }

  private ageSource(): Evidence<SourceWindow> {
    if (this.times === null) return absent('insufficient', 'the documents do not show when they were created.');
    const times = told(this.times.times).sort();
    if (times.length < FEWEST_AGED_DOCUMENTS) {
      return absent(
        'insufficient',
        `there are too few documents (${times.length}) to compare their ages; at least ${FEWEST_AGED_DOCUMENTS} are needed.`,
      );
    }
    if (!this.isOfManyAges) return absent('insufficient', 'all documents were created within one hour.');
    const days = ((times.at(-1) as number) - (times[0] as number)) / MS_PER_DAY;
    return present({ days, from: this.times.field });
  }

  private oplogSource(): Evidence<SourceWindow> {
    const { oplog } = this.input;
    if (!oplog.present) return oplog;
    const { from, to } = 'window' in oplog.value ? oplog.value.window : oplog.value.drawnFrom;
    return present({ days: (to - from) / MS_PER_DAY, from: 'local.oplog.rs' });
  }
}

function oplogGrowthByPath(oplog: OplogOfCollection, paths: readonly string[]): (path: string) => OplogGrowth {
  if ('window' in oplog) {
    const activities = byPath(oplog.activities, paths);
    return (path) => oplogGrowth(activities.get(path) ?? [], oplog.window);
  }
  const writes = byPath(oplog.writes, paths);
  return (path) => drawnGrowth(writes.get(path) ?? [], oplog.drawnFrom);
}
