import {
  defineCheck,
  type GrowthEvidence,
  type IndexDescription,
  type LimitForecast,
  type MeasuredGrowth,
  type Problem,
  type Severity,
  type Subject,
  type ThresholdValues,
  type Verdict,
} from '../src/check.js';
import type { FindingEvidence } from '../src/finding.js';
import { formatBytes, formatCount, formatDuration, inWords, plural } from '../src/format.js';
import type { ArrayGrowth, OplogGrowth } from '../src/growth/growth.js';
import { arrayElements, writeBound } from '../src/judgement/arrays/array-elements.js';
import { arrayRemedy } from '../src/judgement/arrays/array-remedy.js';
import { forecastText, growthSourceNames, growthSourcesText, rateText } from '../src/judgement/arrays/growth-text.js';
import { partReads, partReadsFigures } from '../src/judgement/documents/part-reads.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { withoutElements } from '../src/profile/path-steps.js';
import { MS_PER_DAY, SECONDS_PER_DAY } from '../src/time-units.js';

const thresholds = {
  errorDays: {
    default: 90,
    unit: 'days',
    description: 'days until documents reach 16 MB, at most, for an error',
    source: 'judgement: a team needs weeks to move an array to its own collection',
  },
  warningDays: {
    default: 180,
    unit: 'days',
    description: 'days until arrays reach 200 embedded documents or 1,000 other elements, at most, for a warning',
    source: 'judgement: half a year, about two releases',
  },
  reportDays: {
    default: 730,
    unit: 'days',
    description: 'days until arrays reach 200 embedded documents or 1,000 other elements, at most, for an info',
    source: 'judgement: slower growth outlives most schemas',
  },
} as const;

const MOST_NAMED = 3;

/** Documents can be this much older than a TTL index allows: it deletes once a minute, and later under load. */
const TTL_SLACK = 1.1;

/**
 * An array with measured growth is a finding if it is too long (200 embedded documents, 1,000 other elements), or its document
 * has 16 MB, within the days of the thresholds, unless recorded writes cap it or a TTL index deletes its documents before.
 */
export const fastGrowingArray = defineCheck({
  id: 'fast-growing-array',
  title: 'Fast-growing array',
  summary: 'an array with measured growth, and a forecast of when it becomes too long',
  appliesTo: ['collection'],
  needs: ['growth', 'documents', 'indexes'],
  uses: ['storage', 'reads'],
  thresholds,
  judge(subject, limits): Verdict[] {
    const { collection, growth, documents, indexes, reads } = subject;
    const lifetime = lifetimeDays(indexes, growth);
    const problems = new Map<string, Problem>();
    for (const array of growth.arrays) {
      const path = documents.profile.paths.find((one) => one.path === array.path);
      // An array in an array lies at `matrix[]`; it is reported with the array that it lies in.
      const name = withoutElements(array.path);
      const measured = array.growth;
      if (measured === null || path?.array === undefined || problems.has(name)) continue;
      const forecasts = array.forecasts.map((forecast) => withinLife(forecast, lifetime));
      const elements = arrayElements(path, documents.profile.paths);
      const bound = writeBound(path.path, path.array, elements, reads, array);
      const [embedded, others] = forecasts.filter(({ unit }) => unit === 'elements');
      const reached = (elements.kind === 'documents' ? embedded : others)!;
      if (bound?.kind === 'capped' && (bound.at ?? 0) < reached.limit) continue;
      // A text is as long as its author makes it: what counts is the document.
      const tooLong = bound?.kind === 'text' ? { ...reached, expectedDays: Infinity } : reached;
      const severity = severityOf(forecasts, tooLong, measured, limits);
      if (severity === null) continue;
      const part = partReads(name, reads, tooLong.limit);
      const growing = { ...array, growth: measured, forecasts };
      problems.set(name, {
        severity,
        confidence: measured.confidence,
        path: name,
        causedBy: name,
        message: growthMessage(name, growing),
        restsOn: growthSourceNames(measured.sources),
        evidence: Object.assign(
          growthFigures(subject, growing),
          part === null ? {} : { reads: partReadsFigures(part) },
        ),
        remedy: arrayRemedy({
          collection,
          path: name,
          isInArray: path.path !== name,
          elements,
          lengths: path.array.lengths,
          countedPer: 'array',
          tooLong: tooLong.limit,
          reads: part,
        }),
      });
    }
    return [...problems.values(), ...(problems.size === 0 ? unmeasured(growth) : []), ...tooFewWrites(growth)];
  },
});

/** Arrays that are written to, too seldom for the oplog to tell whether they grow, and of which nothing else tells: what an earlier run found may still hold. */
function tooFewWrites({ arrays }: GrowthEvidence): Verdict[] {
  const unclear = arrays.filter(
    ({ age, oplog, history, growth }) =>
      growth === null &&
      oplog !== null &&
      oplog.writes > 0 &&
      [age, oplog, history].every((shown) => shown === null || shown.verdict === 'unknown'),
  );
  if (unclear.length === 0) return [];
  const paths = unclear.map(({ path }) => `\`${withoutElements(path)}\``);
  const names = inWords(paths, MOST_NAMED);
  return [
    { notJudged: 'insufficient', detail: `the oplog holds too few writes to ${names} to tell whether they grow` },
  ];
}

/** One source is enough. */
function unmeasured({ arrays, sources: { age, oplog, history } }: GrowthEvidence): Verdict[] {
  if (arrays.length === 0 || age.present || oplog.present || history.present) return [];
  return [
    {
      notJudged: 'insufficient',
      detail: `growth can't be measured: ${age.detail} Run regularly with --history to measure it.`,
      nothingJudged: true,
    },
  ];
}

/** Days that documents live, by a TTL index that the ages of the oldest confirm; otherwise Infinity. */
function lifetimeDays(indexes: readonly IndexDescription[], { sources: { age } }: GrowthEvidence): number {
  const days = Math.min(...indexes.map(({ expireAfterSeconds }) => expireAfterSeconds ?? Infinity)) / SECONDS_PER_DAY;
  return age.present && age.value.days <= TTL_SLACK * days ? days : Infinity;
}

/** Forecasts beyond the life of the documents never come true. */
function withinLife(forecast: LimitForecast, lifetime: number): LimitForecast {
  const { typical, largest, expectedDays } = forecast;
  const range = (given: LimitForecast['typical']) => (given !== null && given.latest > lifetime ? null : given);
  return {
    ...forecast,
    expectedDays: expectedDays > lifetime ? Infinity : expectedDays,
    typical: range(typical),
    largest: range(largest),
  };
}

/** A busy hour is no reason to fail a build. */
function severityOf(
  forecasts: readonly LimitForecast[],
  tooLong: LimitForecast,
  growth: MeasuredGrowth,
  { errorDays, warningDays, reportDays }: ThresholdValues<typeof thresholds>,
): Severity | null {
  const [isBrief, isUnsure] = [isBriefGrowth(growth), growth.confidence === 'low'];
  const full = forecasts.find(({ unit }) => unit === 'bytes')?.expectedDays ?? Infinity;
  if (full <= errorDays && !isBrief) return isUnsure ? 'warning' : 'error';
  if (tooLong.expectedDays <= warningDays && !isBrief && !isUnsure) return 'warning';
  return tooLong.expectedDays <= reportDays ? 'info' : null;
}

/** An array that was measured to grow. */
type GrowingArray = ArrayGrowth & { readonly growth: MeasuredGrowth };

/** One hour: shorter windows give no daily rate and no forecast. */
const SHORTEST_OPLOG_DAYS = 1 / 24;

/** True if only the oplog shows growth, and too short a time of it for a forecast. */
function isBriefGrowth({ sources, windowDays }: MeasuredGrowth): boolean {
  return sources.every((source) => source === 'oplog') && windowDays < SHORTEST_OPLOG_DAYS;
}

/** How fast it grows, where, and when it is too long, in two or three sentences. */
function growthMessage(name: string, { growth, oplog, forecasts }: GrowingArray): string {
  const { rates, source, sources, windowDays } = growth;
  const [typical, largest] = [rates.typical.value, rates.largest.value].map((each) => formatCount(Math.round(each)));
  const appended = `in each of ${plural(oplog?.documents ?? 0, 'document')} that writes append to`;
  if (isBriefGrowth(growth))
    return (
      `\`${name}\` grows by ${rateText(rates.typical.perDay.estimate, 'elements', 0)} ${appended}. The largest has ${largest}, and no write shortens it. ` +
      `The oplog covers only ${formatDuration(windowDays * MS_PER_DAY)}, too little for a forecast: run again once it covers an hour.`
    );
  const forecast = forecastText(forecasts);
  return (
    `\`${name}\` grows by ${rateText(rates.typical.perDay.estimate, 'elements')} ${source === 'oplog' ? appended : 'in a typical document'} (${typical} now) and by ` +
    `${rateText(rates.largest.perDay.estimate, 'elements')} in the largest (${largest} now), according to ${growthSourcesText(sources)}.${forecast === '' ? '' : ` ${forecast}`}`
  );
}

/** Lengths in elements, rates in elements per day, and the days between which each limit is reached. */
function growthFigures(
  { growth: { sources }, documents, storage }: Subject<'growth' | 'documents', 'storage'>,
  { growth, age, oplog, history, forecasts }: GrowingArray,
): FindingEvidence {
  const { typical, largest } = growth.rates;
  return {
    source: growthSourceNames(growth.sources).join(', '),
    window: `${sampleWindow(documents, storage)}, ${spanText(growth)}`,
    elementsPerDay: typical.perDay.estimate,
    elementsPerDayRange: [Math.max(0, typical.perDay.low), typical.perDay.high],
    largestElementsPerDay: largest.perDay.estimate,
    typicalLength: typical.value,
    largestLength: largest.value,
    windowDays: growth.windowDays,
    ...(age?.verdict === 'growing' &&
      sources.age.present && { ageField: sources.age.value.from, ageCorrelation: age.correlation }),
    ...(oplog !== null && oplog.documents > 0 && appendedOf(oplog)),
    ...(history?.verdict === 'growing' && { runs: history.runs }),
    ...(!isBriefGrowth(growth) && {
      forecastDays: Object.fromEntries(
        forecasts
          .filter(({ typical: soon, largest: first }) => soon !== null || first !== null)
          .map((forecast) => [
            limitName(forecast),
            { typical: daysOf(forecast.typical), largest: daysOf(forecast.largest) },
          ]),
      ),
    }),
  };
}

/** Appends over the whole collection; as a rate only if the oplog covers more than moments. */
function appendedOf({ documents, longest, windowDays, appendedPerDay }: OplogGrowth): Record<string, number> {
  return {
    documentsAppended: documents,
    highestIndex: longest - 1,
    oplogDays: windowDays,
    ...(windowDays >= SHORTEST_OPLOG_DAYS && appendedPerDay !== null && { appendedPerDay }),
  };
}

/** From and to; null without a forecast. */
function daysOf(range: LimitForecast['typical']): number[] | null {
  return range && [range.earliest, range.latest];
}

function limitName({ limit, unit }: LimitForecast): string {
  return unit === 'bytes' ? formatBytes(limit) : plural(limit, 'element');
}

/** Ages span what nine tenths of the documents do: a single old document says nothing. */
function spanText({ sources: [first], windowDays }: MeasuredGrowth): string {
  const span = formatDuration(windowDays * MS_PER_DAY);
  return first === 'age' ? `90 % of them created within ${span}` : `over ${span}`;
}
