import { recordedFigure, textIn } from '../../connect/answer.js';
import { isIsoTime } from '../../time-units.js';
import { arrayOf, bodyOf } from '../shapes/placeholder.js';
import type { IndexChanges } from '../workload.js';
import { BoundedMap } from './bounded-map.js';
import type { RecordedEntry } from './execution.js';
import { isInternal } from './recorded-command.js';

/** Indexes of a server whose changes are kept; entries of further ones are counted. An application has some hundreds. */
export const MOST_INDEXES = 10_000;

/** Every index of a collection, to dropIndexes. */
const ALL = '*';

type Counted = { -readonly [Name in keyof IndexChanges]: IndexChanges[Name] };

/** Takes an entry that is no operation on data. */
export type TakeOther = (entry: RecordedEntry) => void;

/** Counts what profilers and logs hold of createIndexes and dropIndexes. */
export class IndexChangeTally {
  readonly #places: BoundedMap<Counted>[] = [];

  /** @param since what ran before is left out, in ms since 1970; null for nothing */
  constructor(private readonly since: number | null = null) {}

  /** Takes the entries of one server: another may hold the same commands, so the most of any server counts. */
  place(source: IndexChanges['source']): TakeOther {
    const changes = new BoundedMap<Counted>(MOST_INDEXES);
    this.#places.push(changes);
    return (entry) => {
      for (const change of changesIn(entry, source)) {
        if (change.from < (this.since ?? -Infinity)) continue;
        const known = changes.at(keyOf(change), () => ({ ...change, builds: 0, failed: 0, drops: 0 }));
        if (known !== null) add(known, change);
      }
    };
  }

  get leftOut(): number {
    return this.#places.reduce((sum, { leftOut }) => sum + leftOut, 0);
  }

  summary(): IndexChanges[] {
    const most = new Map<string, IndexChanges>();
    for (const changes of this.#places)
      for (const change of changes.values()) {
        const key = keyOf(change);
        const ofAll = changes.get(keyOf({ ...change, index: ALL }))?.drops ?? 0;
        if (triesOf(change) > triesOf(most.get(key))) most.set(key, { ...change, drops: change.drops + ofAll });
      }
    return [...most.values()];
  }
}

const triesOf = (change?: IndexChanges) => (change === undefined ? 0 : change.builds + change.failed);

const keyOf = ({ namespace, index }: Pick<IndexChanges, 'namespace' | 'index'>) => JSON.stringify([namespace, index]);

function add(to: Counted, { builds, failed, drops, longestMs, from }: IndexChanges): void {
  to.builds += builds;
  to.failed += failed;
  to.drops += drops;
  to.longestMs = Math.max(to.longestMs, longestMs);
  to.from = Math.min(to.from, from);
  to.to = Math.max(to.to, from);
}

function changesIn(entry: RecordedEntry, source: IndexChanges['source']): IndexChanges[] {
  const { fields, at, milliseconds, user, driver, isOfRouter } = entry;
  const namespace: unknown = fields['ns'];
  const { createIndexes, indexes, dropIndexes, index, comment } = bodyOf(fields['command']);
  const isBuild = createIndexes !== undefined;
  const isFailed = fields['errName'] !== undefined;
  if (typeof namespace !== 'string' || !isIsoTime(at) || isOfRouter === true) return [];
  if (
    (!isBuild && (dropIndexes === undefined || isFailed)) ||
    isInternal({ namespace, appName: fields['appName'], driver, user, comment })
  )
    return [];
  const names = isBuild ? arrayOf(indexes).map((each) => textIn(each, 'name')) : [index].flat();
  const change = {
    namespace,
    source,
    builds: Number(isBuild && !isFailed),
    failed: Number(isBuild && isFailed),
    drops: Number(!isBuild),
    longestMs: isBuild ? (recordedFigure(milliseconds) ?? 0) : 0,
    from: at,
    to: at,
  };
  return names.flatMap((name) => (typeof name === 'string' ? [{ ...change, index: name }] : []));
}
