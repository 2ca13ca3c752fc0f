import { absent, present, type Evidence } from '../presence.js';
import { MS_PER_DAY } from '../time-units.js';
import type { DocumentProfile, PathProfile } from '../profile/document-profile.js';
import { arrayForecasts, combineGrowth, sizeForecast, type Seen, type ToldBefore } from './combine.js';
import type { ArrayGrowth, GrowthEvidence, KeptGrowth, SourceWindow } from './growth.js';
import { historyGrowth, type SketchedRun } from './history-growth.js';
import { HISTORY } from './limits.js';

/** What a run kept of a collection. `at` in ms since 1970. */
export interface KeptRun {
  readonly at: number;
  readonly kept: KeptGrowth;
}

/** The runs before the present one, and what they make of its arrays. */
export class EarlierRuns {
  private readonly earlier: readonly KeptRun[];
  private readonly sketched: readonly SketchedRun[];
  private readonly before: ToldBefore | null;

  /** @param earlier in order of time, with sketches of the same salt  @param sketch of the present run */
  constructor(
    earlier: readonly KeptRun[],
    private readonly at: number,
    sketch: KeptGrowth['sketch'],
  ) {
    this.earlier = earlier.filter((run) => run.at < at && at - run.at <= HISTORY.keptDays * MS_PER_DAY);
    const runs = this.earlier.flatMap(({ at: then, kept }) =>
      kept.sketch === undefined ? [] : [{ at: then, sketch: kept.sketch }],
    );
    this.sketched = sketch === undefined || runs.length === 0 ? [] : [...runs, { at, sketch }];
    const last = this.earlier.at(-1);
    this.before = last?.kept.told === undefined ? null : { told: last.kept.told, daysAgo: (at - last.at) / MS_PER_DAY };
  }

  array(path: PathProfile, seen: Omit<Seen, 'history'>, profile: DocumentProfile): ArrayGrowth {
    const history = historyGrowth(this.sketched, path.path, this.isTold(path.path));
    const growth = combineGrowth({ ...seen, history });
    const forecasts = growth === null ? [] : arrayForecasts(path, growth, profile, this.before);
    return { path: path.path, ...seen, history, growth, forecasts };
  }

  sizes(age: GrowthEvidence['sizes']['age']): GrowthEvidence['sizes'] {
    const history = historyGrowth(this.sketched, null, this.isTold(null));
    const growth = combineGrowth({ age, oplog: null, history });
    return { age, history, growth, forecast: growth === null ? null : sizeForecast(growth, this.before) };
  }

  /** @param from what holds the runs */
  source(from: string): Evidence<SourceWindow> {
    const [first] = this.sketched;
    if (first !== undefined) return present({ days: (this.at - first.at) / MS_PER_DAY, from });
    const why =
      this.earlier.length === 0
        ? 'no earlier run has measured this collection.'
        : 'the sampled documents differ from run to run.';
    return absent('insufficient', why);
  }

  count(): Pick<GrowthEvidence, 'earlierCount'> {
    const [first] = this.earlier;
    if (first === undefined) return {};
    return { earlierCount: { documents: first.kept.documents, daysAgo: (this.at - first.at) / MS_PER_DAY } };
  }

  private isTold(path: string | null): boolean {
    return this.before?.told.some((one) => one.path === path) ?? false;
  }
}

/** Growth as earlier files of evidence show it too. @param earlier in order of time */
export function grownSince(
  growth: GrowthEvidence,
  at: number,
  profile: DocumentProfile,
  earlier: readonly KeptRun[],
): GrowthEvidence {
  const { carried, sources } = growth;
  if (carried === undefined || earlier.length === 0) return growth;
  const runs = new EarlierRuns(earlier, at, carried.sketch);
  const history = runs.source('earlier evidence files');
  // A history file that covers more time knows more.
  if (sources.history.present && history.present && sources.history.value.days >= history.value.days) return growth;
  return {
    ...growth,
    arrays: growth.arrays.map((array) => {
      const path = profile.paths.find((one) => one.path === array.path);
      return path === undefined ? array : runs.array(path, { age: array.age, oplog: array.oplog }, profile);
    }),
    sizes: runs.sizes(growth.sizes.age),
    sources: { ...sources, history },
    ...runs.count(),
  };
}
