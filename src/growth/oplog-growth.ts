import { linearRegression, mean, sampleRankCorrelation, sum, variance, weightedQuantile } from 'simple-statistics';
import { groupedBy } from '../grouped-by.js';
import { MS_PER_DAY } from '../time-units.js';
import { areFilling, around, fitRates, isHeldByCap, type SampledArrays } from './finished-arrays.js';
import type { OplogGrowth } from './growth.js';
import { RATES, READING, WRITES } from './limits.js';
import type { DrawnWrite } from './oplog-writes.js';
import type { OplogOfCollection } from './present-lengths.js';

/** A drawn write to an array that is still there. */
interface Seen extends DrawnWrite {
  readonly array: string;
  readonly now: number;
  /** Since the write. */
  readonly days: number;
  readonly gained: number;
}

/** An array by the oldest of its drawn writes: the others lie within. */
interface DrawnArray extends Seen {
  /** Days since each of its writes. */
  readonly times: readonly number[];
  /** Elements that the other writes added. */
  readonly again: number;
}

/** How the arrays at one path grow: by what they gained since entries that were drawn evenly. */
export function oplogGrowth(
  writes: readonly DrawnWrite[],
  { drawnFrom, measuredAt, shareOfDocuments }: OplogOfCollection,
  sampled: SampledArrays,
): OplogGrowth {
  const { from, to, byChance } = drawnFrom;
  const seen = writes.flatMap((write): Seen[] => {
    const days = (measuredAt - write.at) / MS_PER_DAY;
    if (write.now === null || days <= 0) return [];
    return [
      { ...write, array: `${write.document} ${write.place}`, now: write.now, days, gained: write.now - write.elements },
    ];
  });
  const arrays = arraysOf(seen);
  const window = { written: (to - from) / MS_PER_DAY, since: (measuredAt - to) / MS_PER_DAY };
  const { share, addedPerGained } = drawnShare(arrays, drawnFrom.share, byChance === true);
  const added = sum(writes.map(addedBy));
  const isKnown =
    addedPerGained !== null &&
    drawnFrom.unreadShare <= READING.mostUnread &&
    !writes.some(({ kind }) => kind === 'length');
  const base = {
    windowDays: window.written,
    writes: writes.length,
    rewrites: writes.filter(({ kind }) => kind === 'length').length,
    share: drawnFrom.share * shareOfDocuments,
    documents: new Set(seen.map(({ document }) => document)).size,
    longest: Math.max(0, ...seen.map(({ now }) => now)),
    appendedPerDay: isKnown && window.written > 0 ? added / addedPerGained / window.written / shareOfDocuments : null,
    lifetimeDays: lifetimeOf(writes, measuredAt),
    ...(byChance && { byChance }),
  };
  const not = (because: OplogGrowth['because']): OplogGrowth => {
    const isSure = because !== 'few' && because !== 'one-off' && writes.length >= WRITES.enoughWrites;
    return { ...base, verdict: isSure ? 'not growing' : 'unknown', because, rates: null };
  };
  const because = shapeOf(writes, seen, window);
  if (because !== 'growing') return not(because);
  const { together, left } = burstOf(arrays, share);
  const chanceSeen = (perDay: number) => -Math.expm1((-perDay / together) * window.written * share);
  const gains = arrays.map(({ gained, days }) => ({ gained: gained - left, days }));
  const fitted = fitRates(gains, together, chanceSeen, RATES.leastError.oplog);
  if (haveStopped(seen, arrays, fitted.each, { ...window, share, together })) return not('young');
  const grown = arrays.map(({ now }) => now);
  const perArray = fitted.each.map((rate) => 1 / Math.max(1e-6, chanceSeen(rate)));
  const growing = { lengths: grown, weights: perArray, arrays: sum(perArray) / shareOfDocuments };
  if (isOlder(arrays, sampled) || isHeldByCap(grown, sampled)) return not('young');
  if (areFilling(growing, sampled)) return not('young');
  const largest = grown.indexOf(Math.max(...grown));
  const rate = fitted.each[largest] as number;
  const ofLargest = Math.hypot(
    RATES.leastError.oplog,
    1 / Math.sqrt(1 + Math.max(0, (arrays[largest] as DrawnArray).gained) / together),
  );
  return {
    ...base,
    verdict: 'growing',
    because,
    rates: {
      typical: { value: weightedQuantile(grown, perArray, 0.5), perDay: fitted.median },
      largest: { value: grown[largest] as number, perDay: around(rate, ofLargest) },
    },
  };
}

/** Of a whole array that was written, it is not known. */
function addedBy({ kind, elements, from }: Pick<DrawnWrite, 'kind' | 'elements' | 'from'>): number {
  return kind === 'set' ? elements - from : 1;
}

function arraysOf(seen: readonly Seen[]): DrawnArray[] {
  return [...groupedBy(seen, ({ array }) => array).values()].map((ofArray) => {
    const first = ofArray.reduce((one, other) => (other.days > one.days ? other : one));
    const again = sum(ofArray.map(addedBy)) - addedBy(first);
    return { ...first, times: ofArray.map(({ days }) => days), again };
  });
}

/**
 * The random cursor draws pages, not entries: beside a bulk load of large documents, small updates come at a tenth of their
 * share (measured on 6.0.5). How much of what arrays gained was drawn again shows the share.
 */
function drawnShare(
  arrays: readonly DrawnArray[],
  share: number,
  byChance: boolean,
): { share: number; addedPerGained: number | null } {
  if (!byChance) return { share, addedPerGained: share };
  const pushed = arrays.filter(({ kind }) => kind === 'set');
  const again = sum(pushed.map((array) => array.again));
  const gained = Math.max(1, sum(pushed.map((array) => Math.max(0, array.gained))));
  const expected = share * gained;
  // Bursts make less than a half of it likely.
  const isBelow = again < expected / 2 - RATES.standardErrors * Math.sqrt(expected);
  return {
    share: isBelow ? Math.max(1, again) / gained : share,
    addedPerGained: again < WRITES.fewestAgain ? null : again / gained,
  };
}

/**
 * What comes together, and what of it is left after a drawn write: elements of one write; of saves of whole arrays, as many as
 * what they gained took fewer writes than were drawn again; of bursts, what arrays had gained right after a write.
 */
function burstOf(arrays: readonly DrawnArray[], share: number): { together: number; left: number } {
  const atOnce = arrays.map(addedBy);
  const perWrite = sum(atOnce.map((one) => one ** 2)) / sum(atOnce);
  const saved = arrays.filter(({ kind }) => kind === 'length');
  const expected = share * sum(saved.map(({ gained }) => Math.max(0, gained)));
  const again = sum(saved.map((array) => array.again));
  const isRare = saved.length > arrays.length / 2 && again < expected - RATES.standardErrors * Math.sqrt(expected);
  const left = gainedAtOnce(arrays);
  const perSave = isRare ? Math.sqrt((expected / (again + 1)) * spreadPerGain(saved)) : 1;
  return { together: Math.max(1, perWrite, perSave, 1 + 2 * left), left };
}

/** How far what arrays gained lies from what their days explain: as many elements as come together, or more if rates differ. */
function spreadPerGain(arrays: readonly DrawnArray[]): number {
  const rate = sum(arrays.map(({ gained }) => gained)) / sum(arrays.map(({ days }) => days));
  return mean(
    arrays.map(({ gained, days }) => (gained - rate * days) ** 2 / (rate * Math.max(days, WRITES.leastDays))),
  );
}

/** Where the line through what arrays gained in their days begins, if that is above 0 beyond chance. */
function gainedAtOnce(arrays: readonly DrawnArray[]): number {
  if (arrays.length < WRITES.enoughWrites) return 0;
  const points = arrays.map(({ days, gained }) => [days, gained]);
  const { m: slope, b: start } = linearRegression(points);
  const residuals = arrays.map(({ days, gained }) => gained - start - slope * days);
  const days = arrays.map((array) => array.days);
  const spread = sum(residuals.map((one) => one ** 2)) / (arrays.length - 2);
  const error = Math.sqrt(spread * (1 / arrays.length + mean(days) ** 2 / (variance(days) * arrays.length)));
  // Arrays that fill have gained much at once, too, and little since.
  return start > WRITES.burstErrors * error && slope * mean(days) > WRITES.risePerStart * start ? start : 0;
}

function shapeOf(
  writes: readonly DrawnWrite[],
  seen: readonly Seen[],
  { written, since }: { readonly written: number; readonly since: number },
): OplogGrowth['because'] {
  if (seen.length < WRITES.fewestWrites || seen.length < writes.length / 2) return 'few';
  const cap = Math.max(...seen.map(({ now }) => now));
  const atCap = seen.filter(({ elements }) => elements === cap).map(({ days }) => days);
  if (
    atCap.length >= Math.max(WRITES.cap.fewest, WRITES.cap.share * seen.length) &&
    Math.max(...atCap) >= WRITES.cap.time * written
  )
    return 'capped';
  const parts = new Set(
    seen.map(({ days }) =>
      Math.min(WRITES.parts.all - 1, Math.floor((Math.max(0, days - since) / written) * WRITES.parts.all)),
    ),
  );
  // Few writes leave a pause at the end by chance: 1 in 20 of them a longer one.
  const pause = WRITES.parts.all * (1 - 0.05 ** (1 / seen.length));
  if (parts.size < WRITES.parts.written || Math.min(...parts) >= Math.max(WRITES.parts.latest, pause)) return 'one-off';
  const gained = sum(seen.map((one) => one.gained));
  if (gained < WRITES.fewestGained) return seen.length < WRITES.enoughWrites ? 'few' : 'replaced';
  const lost = sum(seen.map((one) => Math.max(0, -one.gained)));
  return lost > WRITES.mostLost * (gained + lost) || !riseWithTime(seen) ? 'replaced' : 'growing';
}

/** Whether indexes rise with time, as appends have it: within an array, or over all, the longer ago, the more was gained. */
function riseWithTime(seen: readonly Seen[]): boolean {
  const last = new Map<string, number>();
  let [onwards, backwards] = [0, 0];
  for (const { array, kind, elements } of seen.toSorted((one, other) => other.days - one.days)) {
    const before = last.get(`${kind} ${array}`) ?? elements;
    if (elements > before) onwards += 1;
    if (elements < before) backwards += 1;
    last.set(`${kind} ${array}`, elements);
  }
  const pairs = onwards + backwards;
  if (pairs >= WRITES.onwards.fewest && backwards <= WRITES.onwards.backwards * pairs) return true;
  if (pairs >= WRITES.fewestPairs) return backwards <= WRITES.mostBackwards * pairs;
  const [days, gains] = [seen.map((one) => one.days), seen.map(({ gained }) => gained)];
  const correlation = sampleRankCorrelation(days, gains);
  return correlation * Math.sqrt(seen.length - 1) >= WRITES.orderErrors;
}

/** Arrays that are written to in the window's first third and hardly ever in its last, or have gained little since, are finished. */
function haveStopped(
  seen: readonly Seen[],
  arrays: readonly DrawnArray[],
  rates: readonly number[],
  { written, since, share, together }: Readonly<Record<'written' | 'since' | 'share' | 'together', number>>,
): boolean {
  const third = written / 3;
  const early = arrays
    .map((array, index) => ({ ...array, rate: rates[index] as number }))
    .filter(({ days }) => days >= since + 2 * third);
  const expected = sum(early.map(({ rate }) => -Math.expm1((-rate / together) * third * share)));
  const again = early.filter(({ times }) => times.some((days) => days < since + third)).length;
  if (expected >= WRITES.again.expected) return again + 1 < WRITES.again.least * expected;
  const sorted = seen.toSorted((one, other) => one.days - other.days);
  const part = Math.floor(sorted.length / 3);
  const [middle, old] = [sorted.slice(part, 2 * part), sorted.slice(2 * part)].map((of) => ({
    days: mean(of.map(({ days }) => days)),
    gained: trimmedMean(of.map(({ gained }) => gained)),
  })) as [{ days: number; gained: number }, { days: number; gained: number }];
  if (middle.gained <= 0 || old.days <= middle.days) return false;
  return (
    (old.gained - middle.gained) / (old.days - middle.days) < (WRITES.leastContinued * middle.gained) / middle.days
  );
}

function trimmedMean(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return mean(sorted.slice(0, Math.max(1, Math.ceil(0.9 * sorted.length))));
}

/** Whether most documents are older than all that are written to: then only young ones grow. */
function isOlder(arrays: readonly Seen[], { created }: SampledArrays): boolean {
  const times = arrays.flatMap(({ createdAt }) => createdAt ?? []);
  if (times.length < WRITES.fewestWrites || created.length === 0) return false;
  // Clocks differ by seconds.
  const oldest = Math.min(...times) - 60_000;
  return created.filter((time) => time < oldest).length > WRITES.mostOlder * created.length;
}

/** Days after which documents are deleted, by their age or by the time since the write; null if that does not show. */
function lifetimeOf(writes: readonly DrawnWrite[], measuredAt: number): number | null {
  const aged = writes.map(({ createdAt, at, now }) => ({
    days: (measuredAt - (createdAt ?? at)) / MS_PER_DAY,
    isGone: now === null,
  }));
  const gone = aged.filter(({ isGone }) => isGone).length;
  let [older, best, days] = [0, 0, 0];
  for (const [index, one] of aged.toSorted((a, b) => b.days - a.days).entries()) {
    if (one.isGone) older += 1;
    if (older >= WRITES.gone.share * (index + 1) && older > best) [best, days] = [older, one.days];
  }
  return best >= WRITES.gone.fewest && best >= gone / 2 ? days : null;
}
