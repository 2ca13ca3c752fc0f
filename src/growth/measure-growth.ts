import { absent, present, type Evidence } from '../presence.js';
import type { DocumentProfile, DocumentSample } from '../profile/document-profile.js';
import type { ProfiledGrowth } from '../profile/document-profiler.js';
import type { SampleMethod } from '../profile/sampling/sample-plan.js';
import { MS_PER_DAY } from '../time-units.js';
import { ageGrowth } from './age-growth.js';
import { toldOf } from './combine.js';
import { creationTimes, told } from './creation-times.js';
import { sketchOf } from './document-sketch.js';
import { EarlierRuns, type KeptRun } from './earlier-runs.js';
import type { GrowthEvidence, KeptGrowth, SourceWindow } from './growth.js';
import { AGES } from './limits.js';
import { oplogGrowth } from './oplog-growth.js';
import type { DrawnWrite } from './oplog-writes.js';
import type { OplogOfCollection } from './present-lengths.js';

export interface GrowthInput {
  readonly sample: Pick<DocumentSample, 'method'>;
  readonly profile: DocumentProfile;
  readonly profiled: ProfiledGrowth;
  /** Whether the documents were read in the order of their insertion. */
  readonly isInOrder: boolean;
  readonly documents: number;
  readonly oplog: Evidence<OplogOfCollection>;
  /** What earlier runs kept of the collection, in order of time. */
  readonly earlier: readonly KeptRun[];
  /** Of the history's hashes; null without a history. */
  readonly salt: string | null;
  readonly now: number;
}

export function measureGrowth(input: GrowthInput): GrowthEvidence {
  const { profile, profiled, oplog, now, documents } = input;
  const times = creationTimes(profiled.sample, input.isInOrder, now);
  const isOfManyAges = times !== null && times.spanDays >= AGES.shortestSpan;
  const runs = new EarlierRuns(input.earlier, now, input.salt === null ? undefined : sketchFor(input, input.salt));
  const paths = profile.paths.filter(({ array }) => array !== undefined);
  const writes = oplog.present
    ? byPath(
        oplog.value.writes,
        paths.map(({ path }) => path),
      )
    : null;
  const byAge = (values: readonly { readonly value: number; readonly index: number }[], unit: 'elements' | 'bytes') => {
    if (!isOfManyAges) return null;
    const aged = values.flatMap(({ value, index }) => {
      const time = times.times[index] ?? NaN;
      return Number.isNaN(time) ? [] : [{ value, age: (now - time) / MS_PER_DAY }];
    });
    return ageGrowth(aged, unit);
  };
  return {
    arrays: paths.map((path) => {
      const columns = profiled.lengths.get(path.path)?.columns ?? { documents: [], lengths: [] };
      const values = Array.from(columns.lengths, (value, at) => ({
        value,
        index: profiled.sample.indexOf(columns.documents[at] as number),
      }));
      const sampled = {
        lengths: values.map(({ value }) => value),
        arrays: (documents * values.length) / Math.max(1, profiled.sample.size),
        created: values.flatMap(({ index }) => times?.times[index] ?? []).filter((time) => !Number.isNaN(time)),
      };
      const seen = {
        age: byAge(values, 'elements'),
        oplog: oplog.present && writes !== null ? oplogGrowth(writes.get(path.path) ?? [], oplog.value, sampled) : null,
      };
      return runs.array(path, seen, profile);
    }),
    sizes: runs.sizes(
      byAge(
        Array.from(profiled.sample.documentSizes, (value, index) => ({ value, index })),
        'bytes',
      ),
    ),
    sources: { age: ageSource(times), oplog: oplogSource(oplog), history: runs.source('--history') },
    ...runs.count(),
  };
}

/** What is kept for later runs; null if nothing was sampled. */
export function keptGrowth(input: GrowthInput, growth: GrowthEvidence, salt: string): KeptGrowth | null {
  if (input.profiled.sample.size === 0) return null;
  const sketch = sketchFor(input, salt);
  const { arrays, sizes } = growth;
  const forecasts = [
    ...arrays.flatMap((array) => toldOf(array.path, array.forecasts)),
    ...toldOf(null, sizes.forecast === null ? [] : [sizes.forecast]),
  ];
  return {
    documents: input.documents,
    ...(sketch !== undefined && { sketch }),
    ...(forecasts.length > 0 && { told: forecasts }),
  };
}

/** The random cursor gives other documents each time: hardly any would be recognised. */
const OF_CHANCE: ReadonlySet<SampleMethod> = new Set(['random-cursor', 'random-sort']);

function sketchFor({ profiled, sample }: GrowthInput, salt: string): KeptGrowth['sketch'] {
  return OF_CHANCE.has(sample.method) ? undefined : sketchOf(profiled, salt);
}

function ageSource(times: ReturnType<typeof creationTimes>): Evidence<SourceWindow> {
  if (times === null) return absent('insufficient', 'the documents do not show when they were created.');
  const known = told(times.times).sort();
  if (known.length < AGES.fewest) {
    return absent(
      'insufficient',
      `there are too few documents (${known.length}) to compare their ages; at least ${AGES.fewest} are needed.`,
    );
  }
  if (times.spanDays < AGES.shortestSpan) return absent('insufficient', 'all documents were created within one hour.');
  return present({ days: ((known.at(-1) as number) - (known[0] as number)) / MS_PER_DAY, from: times.field });
}

function oplogSource(oplog: GrowthInput['oplog']): Evidence<SourceWindow> {
  if (!oplog.present) return oplog;
  const { from, to } = oplog.value.drawnFrom;
  return present({ days: (to - from) / MS_PER_DAY, from: 'local.oplog.rs' });
}

// Only by the paths of a profile, in which names that are data are `*`: the names at other paths might be data.
function byPath(writes: readonly DrawnWrite[], paths: readonly string[]): Map<string, DrawnWrite[]> {
  const known = new Set(paths);
  const patterns = paths.filter((path) => path.includes('*')).map((path) => ({ path, pattern: patternOf(path) }));
  const found = new Map<string, DrawnWrite[]>();
  for (const write of writes) {
    const at = known.has(write.path) ? write.path : patterns.find(({ pattern }) => pattern.test(write.path))?.path;
    if (at === undefined) continue;
    const there = found.get(at) ?? [];
    there.push(write);
    found.set(at, there);
  }
  return found;
}

function patternOf(path: string): RegExp {
  const steps = path.split('*').map((part) => part.replaceAll(/[.[\]()^$+?{}|\\]/g, String.raw`\$&`));
  return new RegExp(`^${steps.join(String.raw`[^.[\]]+`)}$`);
}
