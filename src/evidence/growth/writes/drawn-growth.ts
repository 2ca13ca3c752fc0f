import { weightedQuantile } from 'simple-statistics';
import { groupedBy } from '../../../grouped-by.js';
import { MS_PER_DAY } from '../../../time-units.js';
import { documentLifetime } from './document-lifetime.js';
import { drawnArrays, type SeenGain } from './drawn-arrays.js';
import { drawnShare, withSaves } from './drawn-share.js';
import { fitRates, ratesOf, withoutExceptions } from './drawn-rates.js';
import { areCapped, areEmptied, areFull, areOngoing, haveGained, haveStopped, riseWithTime } from './drawn-shape.js';
import type { DrawnWindow, DrawnWrite } from '../oplog/drawn-writes.js';
import { evenly } from '../oplog/evenly.js';
import type { SomeArrays } from '../rates/filled-arrays.js';
import { MOST_UNREAD_SHARE, type OplogGrowth } from './oplog-growth.js';
import type { FittedRates } from '../rates/rate-mixture.js';

/** Draws by which a path can be judged. */
const FEWEST_DRAWS = 8;
const FEWEST_GAINED = 10;
/** Draws by which it shows that nothing is gained. */
const MANY_DRAWS = 30;
/** Arrays at one path: more would sharpen no estimate that matters. */
export const MOST_ARRAYS = 400;
/** Part of the window, from its end. */
const LATEST_PART = 1 / 3;
const LENGTH_QUANTILES = 16;

/** How arrays at one path grow, by entries that were drawn evenly and the arrays' lengths since. */
export function drawnGrowth(writes: readonly DrawnWrite[], window: DrawnWindow): OplogGrowth {
  const windowDays = (window.to - window.from) / MS_PER_DAY;
  const gains = withSaves(seenGains(writes, window), window);
  const { shape, rates, active } = shapeOf(writes, gains, window);
  const created = gains.flatMap(({ write }) => (write.createdAt === null ? [] : [write.createdAt]));
  const days = windowDays * window.share * window.shareOfArrays;
  return {
    shape,
    windowDays,
    coveredDays: window.unreadShare > MOST_UNREAD_SHARE ? 0 : days,
    appendedPerDay: appendedPerDay(writes, gains, window),
    documents: new Set(gains.map(({ write }) => write.document)).size,
    highestIndex: Math.max(0, ...gains.map(({ now }) => now)) - 1,
    ongoing: areOngoing(writtenAt(gains, window), windowDays),
    rates,
    created: created.length === 0 ? null : { first: Math.min(...created), last: Math.max(...created) },
    lifetimeDays: documentLifetime(writes, window),
    evenly: true,
    ...(shape === 'replaced' && areEmptied(gains) && { emptied: true }),
    ...(window.byChance && { byChance: true }),
    writes: writes.length,
    shareAtLongest: shareAtLongest(gains, windowDays),
    mostAtOnce: Math.ceil(Math.max(0, ...latestOf(gains, windowDays).map(({ set }) => set))),
    ...(active !== undefined && { active }),
  };
}

function appendedPerDay(
  writes: readonly DrawnWrite[],
  gains: readonly Drawn[],
  window: DrawnWindow,
): OplogGrowth['appendedPerDay'] {
  const sets = drawnArrays(gains.filter(({ kind }) => kind === 'set'));
  const { setPerGained } = drawnShare(sets, window);
  const areSavesUnknown = sets.length === 0 || gains.some(({ kind, set }) => kind === 'length' && set > 1);
  if (setPerGained === null || (gains.length > 0 && areSavesUnknown)) return null;
  const set = writes.reduce((sum, { kind, elements, from }) => (kind === 'set' ? sum + elements - from : sum), 0);
  return (set * MS_PER_DAY) / (window.to - window.from) / setPerGained / window.shareOfArrays;
}

interface Drawn extends SeenGain {
  readonly write: DrawnWrite;
}

function seenGains(writes: readonly DrawnWrite[], { measuredAt }: DrawnWindow): Drawn[] {
  return writes.flatMap((write) => {
    const { document, place, at, kind, from, elements, now } = write;
    const days = (measuredAt - at) / MS_PER_DAY;
    if (now === null || days <= 0) return [];
    return [
      {
        array: `${document} ${place}`,
        kind,
        days,
        elements,
        now,
        set: kind === 'set' ? elements - from : 1,
        gained: now - elements,
        write,
      },
    ];
  });
}

const not = (shape: OplogGrowth['shape']) => ({ shape, rates: null });

function shapeOf(
  writes: readonly DrawnWrite[],
  all: readonly Drawn[],
  window: DrawnWindow,
): Pick<OplogGrowth, 'shape' | 'rates' | 'active'> {
  const { from, to, measuredAt } = window;
  const windowDays = (measuredAt - from) / MS_PER_DAY;
  const writtenDays = (to - from) / MS_PER_DAY;
  if (all.length < FEWEST_DRAWS || all.length < writes.length / 2) return not('few');
  const gains = ofSomeArrays(all);
  if (areCapped(gains, windowDays)) return not('capped');
  if (!areOngoing(writtenAt(gains, window), writtenDays)) return not('one-off');
  const gained = gains.reduce((sum, gain) => sum + gain.gained, 0);
  if (gained < FEWEST_GAINED) return not(gains.length < MANY_DRAWS ? 'few' : 'replaced');
  if (!haveGained(gains) || !riseWithTime(gains)) return not('replaced');
  const arrays = drawnArrays(gains);
  const { share, setPerGained } = drawnShare(arrays, window);
  const shareOfArrays = window.shareOfArrays * (gains.length / all.length);
  const rates = fitRates(arrays, share, windowDays, shareOfArrays);
  if (areFull(gains, rates.median * windowDays)) return not('replaced');
  if (haveStopped(gains, arrays, { ...rates, writtenDays, sinceDays: windowDays - writtenDays, share }))
    return not('young');
  if (setPerGained === null) return { shape: 'growing', rates: ratesOf(arrays, rates) };
  const within = { shareOfAll: setPerGained * shareOfArrays, writtenDays, sinceDays: windowDays - writtenDays };
  return { shape: 'growing', rates: ratesOf(arrays, rates), active: activeArrays(gains, arrays, rates, within) };
}

/** A fast array has as many more writes, so that each stands for as much less of its time. */
function activeArrays(
  gains: readonly Drawn[],
  arrays: readonly { readonly first: Drawn }[],
  { rates }: FittedRates,
  window: { readonly shareOfAll: number; readonly writtenDays: number; readonly sinceDays: number },
): SomeArrays {
  const rateOf = new Map(arrays.map(({ first }, index) => [first.array, rates[index] as number]));
  const lengths = gains.map(({ elements }) => elements);
  const sets = withoutExceptions(gains.map(({ set }) => set));
  const days = gains.map(({ array }, index) => (sets[index] as number) / (rateOf.get(array) as number));
  // Growth may have begun within the window.
  const within = (ofWindow: number) => {
    const latest = days.filter((_, index) => (gains[index] as Drawn).days <= window.sinceDays + ofWindow);
    return latest.reduce((sum, ofWrite) => sum + ofWrite, 0) / window.shareOfAll / ofWindow;
  };
  return {
    arrays: Math.max(within(window.writtenDays), within(LATEST_PART * window.writtenDays)),
    lengths: Array.from({ length: LENGTH_QUANTILES }, (_, part) =>
      weightedQuantile(lengths, days, (part + 0.5) / LENGTH_QUANTILES),
    ),
  };
}

/** Days from each write to the end of the window: lengths are looked up a little later. */
function writtenAt(gains: readonly SeenGain[], { to, measuredAt }: DrawnWindow): number[] {
  return gains.map(({ days }) => Math.max(0, days - (measuredAt - to) / MS_PER_DAY));
}

/** All writes to some arrays, as it is those to one array that show what comes together. */
function ofSomeArrays(gains: readonly Drawn[]): Drawn[] {
  return evenly([...groupedBy(gains, ({ array }) => array).values()], MOST_ARRAYS).flat();
}

function shareAtLongest(gains: readonly Drawn[], windowDays: number): number {
  const longest = Math.max(...gains.map(({ now }) => now));
  const latest = latestOf(gains, windowDays);
  return latest.filter(({ now }) => now === longest).length / Math.max(1, latest.length);
}

function latestOf(gains: readonly Drawn[], windowDays: number): Drawn[] {
  return gains.filter(({ days }) => days < LATEST_PART * windowDays);
}
