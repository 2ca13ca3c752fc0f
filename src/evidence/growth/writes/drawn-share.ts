import { sum } from 'simple-statistics';
import { SECOND_LOOK } from '../rates/estimate.js';
import type { DrawnWindow } from '../oplog/drawn-writes.js';
import { drawnArrays, type DrawnArray, type SeenGain } from './drawn-arrays.js';

/** Elements that were drawn again, from which the share is known to a fifth. */
const FEWEST_AGAIN = 30;

export interface DrawnShare {
  /** At most that of all entries. */
  readonly share: number;
  /** Elements that drawn writes set for each that was gained; null if too few show it. */
  readonly setPerGained: number | null;
}

/**
 * The random cursor enters pages, not entries: beside a bulk load of large documents, small updates are drawn at a tenth of
 * their share (measured on 6.0.5), and no size of an entry tells it. What arrays gained since their first drawn write does.
 */
export function drawnShare(arrays: readonly DrawnArray[], { share, byChance }: DrawnWindow): DrawnShare {
  if (byChance === undefined) return { share, setPerGained: share };
  let [again, gained] = [0, 0];
  for (const array of arrays) {
    const first = array.times.indexOf(array.days);
    again += sum(array.set.toSpliced(first, 1));
    gained += array.gained;
  }
  const expected = share * gained;
  const isBelow = again < expected - SECOND_LOOK * Math.sqrt(expected);
  return {
    share: isBelow ? Math.max(1, again) / gained : share,
    setPerGained: again < FEWEST_AGAIN || gained === 0 ? null : again / gained,
  };
}

/** With what each save of a whole array adds on average: the oplog does not show it, but how rarely they are drawn again does. */
export function withSaves<Gain extends SeenGain>(gains: readonly Gain[], window: DrawnWindow): readonly Gain[] {
  const arrays = drawnArrays(gains.filter(({ kind }) => kind === 'length'));
  if (arrays.length === 0) return gains;
  const { share } = drawnShare(drawnArrays(gains.filter(({ kind }) => kind === 'set')), window);
  const saved = new Map(arrays.map(({ first }) => [first.array, first]));
  const again = gains.filter(({ array, days }) => days < (saved.get(array)?.days ?? 0));
  const pushes = again.flatMap(({ kind, set }) => (kind === 'set' ? [set] : []));
  const [pushed, variance] = [sum(pushes), sum(pushes.map((set) => set ** 2))];
  const expected = share * sum(arrays.map(({ gained }) => gained)) - pushed;
  const seen = again.filter(({ kind }) => kind === 'length').length;
  if (!(seen < expected - SECOND_LOOK * Math.sqrt(Math.max(0, expected) + variance))) return gains;
  // One more, so that none drawn again by chance is not taken for endlessly many elements.
  const perSave = expected / (seen + 1);
  return gains.map((gain) => (gain.kind === 'length' ? { ...gain, set: perSave } : gain));
}
