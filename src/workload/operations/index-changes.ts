import { recordedFigure, textIn } from '../../connect/answer.js';
import { isIsoTime } from '../../time-units.js';
import { arrayOf, bodyOf } from '../shapes/placeholder.js';
import type { IndexChanges } from '../workload.js';
import type { RecordedEntry } from './execution.js';
import { isInternal } from './recorded-command.js';

/** Indexes whose changes are kept; those of further ones are left out. An application has some hundreds. */
const MOST_INDEXES = 10_000;

/** Every index of a collection, to dropIndexes. */
const ALL = '*';

/** Takes an entry that is no operation on data. */
export type TakeOther = (entry: RecordedEntry) => void;

/** Counts what profilers and logs hold of createIndexes and dropIndexes. */
export class IndexChangeTally {
  readonly #places: Map<string, IndexChanges>[] = [];

  /** @param since what ran before is left out, in ms since 1970; null for nothing */
  constructor(private readonly since: number | null = null) {}

  /** Takes the entries of one server: another may hold the same commands, so the most of any server counts. */
  place(source: IndexChanges['source']): TakeOther {
    const changes = new Map<string, IndexChanges>();
    this.#places.push(changes);
    return (entry) => {
      for (const change of changesIn(entry, source)) {
        const key = JSON.stringify([change.namespace, change.index]);
        const known = changes.get(key);
        const isKept = known !== undefined || changes.size < MOST_INDEXES;
        if (isKept && change.from >= (this.since ?? -Infinity))
          changes.set(key, known === undefined ? change : added(known, change));
      }
    };
  }

  summary(): IndexChanges[] {
    const most = new Map<string, IndexChanges>();
    for (const changes of this.#places)
      for (const [key, change] of changes) {
        const ofAll = changes.get(JSON.stringify([change.namespace, ALL]))?.drops ?? 0;
        if (triesOf(change) > triesOf(most.get(key))) most.set(key, { ...change, drops: change.drops + ofAll });
      }
    return [...most.values()];
  }
}

const triesOf = (change?: IndexChanges) => (change === undefined ? 0 : change.builds + change.failed);

function added(one: IndexChanges, other: IndexChanges): IndexChanges {
  return {
    ...one,
    builds: one.builds + other.builds,
    failed: one.failed + other.failed,
    drops: one.drops + other.drops,
    longestMs: Math.max(one.longestMs, other.longestMs),
    from: Math.min(one.from, other.from),
    to: Math.max(one.to, other.to),
  };
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
