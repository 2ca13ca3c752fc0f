import { linearRegression, mean, sampleRankCorrelation, sum, variance, weightedQuantile } from 'simple-statistics';
import { groupedBy } from '../grouped-by.js';
import { MS_PER_DAY } from '../time-units.js';
import { areFilling, around, fitRates, type SeenArrays } from './growing-arrays.js';
import type { OplogGrowth } from './growth.js';
import { FILLING, RATES, READING, WRITES } from './limits.js';
import type { SampledWrite } from './oplog-writes.js';
import type { OplogOfCollection } from './present-lengths.js';

/** A write to an array that is still there. */
interface Seen extends SampledWrite {
  readonly now: number;
  /** Since the write. */
  readonly days: number;
  readonly gained: number;
}

type Reason = OplogGrowth['because'];

/** How the arrays at one path grow: by what they gained since entries that were read. @param slack times that lines for growth are looser */
export function oplogGrowth(
  writes: readonly SampledWrite[],
  { window, measuredAt, shareOfDocuments }: OplogOfCollection,
  sampled: SeenArrays,
  slack: number,
): OplogGrowth {
  const { from, to, share } = window;
  const seen = writes.flatMap((write): Seen[] => {
    const days = (measuredAt - write.at) / MS_PER_DAY;
    if (write.now === null || days <= 0) return [];
    return [{ ...write, now: write.now, days, gained: write.now - write.elements }];
  });
  const windowDays = (to - from) / MS_PER_DAY;
  const daysSince = (measuredAt - to) / MS_PER_DAY;
  const rewrites = writes.filter(({ kind }) => kind === 'length').length;
  const isKnown = windowDays > 0 && window.unreadShare <= READING.unread.most && rewrites === 0;
  const base = {
    windowDays,
    writes: writes.length,
    rewrites,
    share: share * shareOfDocuments,
    documents: new Set(seen.map(({ document }) => document)).size,
    longest: Math.max(0, ...seen.map(({ now }) => now)),
    appendedPerDay: isKnown ? sum(writes.map(addedBy)) / share / windowDays / shareOfDocuments : null,
  };
  const not = (because: Reason): OplogGrowth => {
    const isSure = because !== 'few' && because !== 'one-off' && writes.length >= WRITES.enoughWrites;
    return { ...base, verdict: isSure ? 'not growing' : 'unknown', because, rates: null };
  };
  const because = shapeOf(seen, writes.length, windowDays, daysSince, slack);
  if (because !== 'growing') return not(because);
  // Each by the oldest of its writes: the others lie within.
  const arrays = [...groupedBy(seen, ({ document }) => document).values()].map((ofArray) => ({
    ...ofArray.reduce((one, other) => (other.days > one.days ? other : one)),
    latest: Math.min(...ofArray.map(({ days }) => days)),
  }));
  const ofBurst = gainedAtOnce(arrays);
  const atOnce = Math.max(1, addedAtOnce(arrays, rewrites > writes.length / 2));
  const together = Math.max(atOnce, 1 + 2 * ofBurst);
  const chanceSeen = (perDay: number) => -Math.expm1((-perDay / together) * windowDays * share);
  const gains = arrays.map(({ gained, days }) => ({ gained: gained - ofBurst, days }));
  const { median, each, weights } = fitRates(gains, together, chanceSeen, RATES.leastError.oplog);
  const lengths = arrays.map(({ now }) => now);
  // What is still written to shows how far arrays come that grow.
  const late = arrays.filter(({ latest }) => latest - daysSince < FILLING.latest * windowDays);
  const chanceLate = -Math.expm1((-median.estimate / atOnce) * FILLING.latest * windowDays * share);
  const growing = { lengths: late.map(({ now }) => now), arrays: late.length / chanceLate / shareOfDocuments };
  if (areFilling(growing, sampled)) return not('young');
  const most = lengths.indexOf(Math.max(...lengths));
  const gained = Math.max(0, (arrays[most] as Seen).gained);
  const error = Math.hypot(RATES.leastError.oplog, 1 / Math.sqrt(1 + gained / together));
  const typical = { value: weightedQuantile(lengths, [...weights], 0.5), perDay: median };
  const largest = { value: lengths[most] as number, perDay: around(each[most] as number, error) };
  return { ...base, verdict: 'growing', because, rates: { typical, largest } };
}

/** Unknown for a whole array that was written. */
function addedBy({ kind, elements, from }: SampledWrite): number {
  return kind === 'set' ? elements - from : 1;
}

/** Elements of one write; of arrays that are saved whole, by how far what they gained differs from what their days explain. */
function addedAtOnce(arrays: readonly Seen[], areWhole: boolean): number {
  const gained = sum(arrays.map((array) => array.gained));
  const perDay = gained / sum(arrays.map(({ days }) => days));
  if (areWhole) return sum(arrays.map((array) => (array.gained - perDay * array.days) ** 2)) / gained;
  const added = arrays.map(addedBy);
  return sum(added.map((one) => one ** 2)) / sum(added);
}

/** What arrays gain in the burst that a write belongs to: the line through what they gained in their days begins there. */
function gainedAtOnce(arrays: readonly Seen[]): number {
  if (arrays.length < WRITES.enoughWrites) return 0;
  const { m: slope, b: start } = linearRegression(arrays.map(({ days, gained }) => [days, gained]));
  const residuals = arrays.map(({ days, gained }) => gained - start - slope * days);
  const days = arrays.map((array) => array.days);
  const spread = sum(residuals.map((one) => one ** 2)) / (arrays.length - 2);
  const error = Math.sqrt(spread * (1 / arrays.length + mean(days) ** 2 / (variance(days) * arrays.length)));
  return start > WRITES.burstErrors * error && slope > 0 ? start : 0;
}

function shapeOf(seen: readonly Seen[], writes: number, windowDays: number, daysSince: number, slack: number): Reason {
  const fewest = WRITES.fewestWrites / slack;
  if (seen.length < Math.max(fewest, (1 - WRITES.mostGone) * writes)) return 'few';
  const cap = Math.max(...seen.map(({ now }) => now));
  const atCap = seen.filter(({ elements }) => elements === cap).map(({ days }) => days);
  const isCapped = atCap.length >= Math.max(WRITES.cap.fewest, WRITES.cap.share * seen.length);
  if (isCapped && Math.max(...atCap) >= WRITES.cap.time * windowDays) return 'capped';
  const partOf = (days: number) => Math.floor((Math.max(0, days - daysSince) / windowDays) * WRITES.parts.all);
  const parts = new Set(seen.map(({ days }) => Math.min(WRITES.parts.all - 1, partOf(days))));
  if (parts.size < WRITES.parts.written || Math.min(...parts) >= WRITES.parts.latest) return 'one-off';
  const gained = sum(seen.map((one) => one.gained));
  if (gained < WRITES.fewestGained) return seen.length < WRITES.enoughWrites ? 'few' : 'replaced';
  const lost = sum(seen.map((one) => Math.max(0, -one.gained)));
  return lost > slack * WRITES.mostLost * (gained + lost) || !riseWithTime(seen, fewest) ? 'replaced' : 'growing';
}

/** Whether indexes rise with time, as appends have it: within an array, or over all, the longer ago, the more was gained. */
function riseWithTime(seen: readonly Seen[], fewest: number): boolean {
  const last = new Map<string, number>();
  let [onwards, backwards] = [0, 0];
  for (const { document, kind, elements } of seen.toSorted((one, other) => other.days - one.days)) {
    const before = last.get(`${kind} ${document}`) ?? elements;
    if (elements > before) onwards += 1;
    if (elements < before) backwards += 1;
    last.set(`${kind} ${document}`, elements);
  }
  const pairs = onwards + backwards;
  if (pairs >= fewest - 1) return backwards <= WRITES.order.backwards * (pairs - WRITES.order.spare);
  const [days, gains] = [seen.map((one) => one.days), seen.map(({ gained }) => gained)];
  return sampleRankCorrelation(days, gains) * Math.sqrt(seen.length - 1) >= WRITES.order.errors;
}
