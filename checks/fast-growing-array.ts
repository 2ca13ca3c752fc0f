import {
  arrayElements,
  arrayRemedy,
  forecastText,
  formatBytes,
  formatCount,
  formatDuration,
  growthSourceNames,
  growthSourcesText,
  MS_PER_DAY,
  partReads,
  partReadsFigures,
  plural,
  rateText,
  sampleWindow,
  SECONDS_PER_DAY,
  type PartReads,
} from '../src/helpers.js';
import {
  defineCheck,
  type ArrayGrowth,
  type FindingEvidence,
  type GrowthEvidence,
  type IndexDescription,
  type LimitForecast,
  type MeasuredGrowth,
  type OplogGrowth,
  type PathProfile,
  type Problem,
  type Severity,
  type Subject,
  type ThresholdValues,
  type Verdict,
} from '../src/check.js';

const thresholds = {
  errorDays: {
    default: 90,
    unit: 'days',
    description: 'days until documents reach 16 MB, at the measured rate, up to which it is an error',
    source: 'judgement: a team needs weeks to move an array to its own collection',
  },
  warningDays: {
    default: 180,
    unit: 'days',
    description: 'days until arrays reach 1,000 elements, at the measured rate, up to which it is a warning',
    source: 'judgement: half a year, about two releases',
  },
  reportDays: {
    default: 730,
    unit: 'days',
    description: 'days until arrays reach 200 elements, at the measured rate, up to which it is an info',
    source: 'judgement: slower growth outlives most schemas',
  },
} as const;

type Needs = 'growth' | 'documents' | 'indexes';
type Uses = 'reads';
type Growing = ArrayGrowth & { readonly growth: MeasuredGrowth };

/** One hour: shorter windows give no daily rate and no forecast. */
const SHORTEST_OPLOG_DAYS = 1 / 24;
/** Documents can be this much older than a TTL index allows: it deletes once a minute, and later under load. */
const TTL_SLACK = 1.1;

export const fastGrowingArray = defineCheck({
  id: 'fast-growing-array',
  title: 'Fast-growing array',
  summary: 'an array with measured growth, and a forecast of when it becomes too long',
  appliesTo: ['collection'],
  needs: ['growth', 'documents', 'indexes'],
  uses: ['storage', 'reads'],
  thresholds,
  judge(subject, limits): Verdict[] {
    const { growth, documents, indexes } = subject;
    const lifetime = lifetimeDays(indexes, growth);
    const problems = new Map<string, Problem>();
    for (const array of growth.arrays) {
      const path = documents.profile.paths.find((one) => one.path === array.path);
      // An array in an array lies at `matrix[]`; it is reported with the array that it lies in.
      const name = array.path.replace(/(?:\[\])+$/, '');
      if (!isGrowing(array) || path === undefined || problems.has(name)) continue;
      const forecasts = array.forecasts.map((forecast) =>
        withinLife(forecast, Math.min(lifetime, array.oplog?.lifetimeDays ?? Infinity)),
      );
      const severity = severityOf(forecasts, array.growth, limits);
      if (severity !== null) problems.set(name, problemOf(subject, { ...array, forecasts }, path, name, severity));
    }
    return problems.size === 0 ? notJudged(growth) : [...problems.values()];
  },
});

function isGrowing(array: ArrayGrowth): array is Growing {
  return array.growth !== null;
}

/** One source is enough. */
function notJudged({ arrays, sources: { age, oplog, history } }: GrowthEvidence): Verdict[] {
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
function withinLife({ typical, largest, expectedDays, ...limit }: LimitForecast, lifetime: number): LimitForecast {
  return {
    ...limit,
    expectedDays: expectedDays > lifetime ? Infinity : expectedDays,
    typical: typical !== null && typical.latest > lifetime ? null : typical,
    largest: largest !== null && largest.latest > lifetime ? null : largest,
  };
}

/** True if only the oplog shows growth, and too short a time of it for a forecast. */
function isBrief({ sources, windowDays }: MeasuredGrowth): boolean {
  return sources.every((source) => source === 'oplog') && windowDays < SHORTEST_OPLOG_DAYS;
}

function severityOf(
  forecasts: readonly LimitForecast[],
  growth: MeasuredGrowth,
  limits: ThresholdValues<typeof thresholds>,
): Severity | null {
  const { confidence } = growth;
  const [some, many, full] = forecasts.map(({ expectedDays }) => expectedDays) as [number, number, number];
  if (isBrief(growth)) return some <= limits.reportDays ? 'info' : null;
  // A busy hour is no reason to fail a build.
  if (full <= limits.errorDays) return confidence === 'low' ? 'warning' : 'error';
  if (many <= limits.warningDays) return 'warning';
  return some <= limits.reportDays ? 'info' : null;
}

function problemOf(
  subject: Subject<Needs, Uses>,
  array: Growing,
  path: PathProfile,
  name: string,
  severity: Severity,
): Problem {
  const { growth, forecasts } = array;
  const elements = arrayElements(path, subject.documents.profile.paths);
  const lengths = path.array?.lengths;
  if (lengths === undefined) throw new TypeError(`${path.path} is no array.`);
  const tooLong = forecasts[0]?.limit ?? lengths.max;
  const part = partReads(name, subject.reads, tooLong);
  return {
    severity,
    confidence: growth.confidence,
    path: name,
    message: isBrief(growth)
      ? briefMessage(name, array)
      : [messageOf(name, array), forecastText(forecasts)].filter((sentence) => sentence !== '').join(' '),
    evidence: evidenceOf(subject, array, part),
    remedy: arrayRemedy({
      collection: subject.collection,
      path: name,
      isInArray: path.path !== name,
      elements,
      lengths,
      countedPer: 'array',
      tooLong,
      reads: part,
    }),
  };
}

function briefMessage(name: string, { growth: { windowDays, rates }, oplog }: Growing): string {
  return (
    `\`${name}\` grows by ${rateText(rates.typical.perDay.estimate, 'elements', 0)} in each of ` +
    `${plural(oplog?.documents ?? 0, 'document')} that writes append to. The largest has ${formatCount(Math.round(rates.largest.value))}, and ` +
    `no write shortens it. The oplog covers only ${formatDuration(windowDays * MS_PER_DAY)}, too little for a forecast: run again once it covers an hour.`
  );
}

function messageOf(name: string, { growth, oplog }: Growing): string {
  const { rates, source, sources } = growth;
  const [typical, largest] = [rates.typical.value.estimate, rates.largest.value].map((length) =>
    formatCount(Math.round(length)),
  );
  const appended = oplog?.documents ?? 0;
  const where =
    source === 'oplog' ? `in each of ${plural(appended, 'document')} that writes append to` : 'in a typical document';
  return (
    `\`${name}\` grows by ${rateText(rates.typical.perDay.estimate, 'elements')} ${where} (${typical} now) and by ` +
    `${rateText(rates.largest.perDay.estimate, 'elements')} in the largest (${largest} now), according to ${growthSourcesText(sources)}.`
  );
}

function evidenceOf(
  { growth: { sources }, documents, storage }: Subject<Needs, 'storage'>,
  { growth, age, oplog, history, forecasts }: Growing,
  part: PartReads | null,
): FindingEvidence {
  const { typical, largest } = growth.rates;
  return {
    source: growthSourceNames(growth.sources),
    window: `${sampleWindow(documents, storage)}, ${spanText(growth)}`,
    elementsPerDay: typical.perDay.estimate,
    elementsPerDayRange: [Math.max(0, typical.perDay.low), typical.perDay.high],
    largestElementsPerDay: largest.perDay.estimate,
    typicalLength: typical.value.estimate,
    largestLength: largest.value,
    windowDays: growth.windowDays,
    ...(age?.shape === 'growing' &&
      sources.age.present && { ageField: sources.age.value.from, ageCorrelation: age.correlation }),
    ...(oplog !== null && oplog.documents > 0 && appendedOf(oplog)),
    ...(history?.shape === 'growing' && { runs: history.runs }),
    ...(part !== null && { reads: partReadsFigures(part) }),
    ...(!isBrief(growth) && {
      forecastDays: Object.fromEntries(
        forecasts.filter(isMade).map((forecast) => [limitName(forecast), daysOf(forecast)]),
      ),
    }),
  };
}

/** Appends over the whole collection; as a rate only if the oplog covers more than moments. */
function appendedOf({ documents, highestIndex, windowDays, appendedPerDay }: OplogGrowth): Record<string, number> {
  return {
    documentsAppended: documents,
    highestIndex,
    oplogDays: windowDays,
    ...(windowDays >= SHORTEST_OPLOG_DAYS && { appendedPerDay }),
  };
}

function isMade({ typical, largest }: LimitForecast): boolean {
  return typical !== null || largest !== null;
}

function limitName({ limit, unit }: LimitForecast): string {
  return unit === 'bytes' ? formatBytes(limit) : plural(limit, 'element');
}

/** Days from and to; null without a forecast. */
function daysOf({ typical, largest }: LimitForecast): Record<string, number[] | null> {
  return {
    typical: typical && [typical.earliest, typical.latest],
    largest: largest && [largest.earliest, largest.latest],
  };
}

/** Ages span what nine tenths of the documents do: a single old document says nothing. */
function spanText({ sources: [first], windowDays }: MeasuredGrowth): string {
  const span = formatDuration(windowDays * MS_PER_DAY);
  return first === 'age' ? `90 % of them created within ${span}` : `over ${span}`;
}
