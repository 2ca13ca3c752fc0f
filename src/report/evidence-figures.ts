import type { FindingEvidence } from '../finding.js';
import { formatBytes, formatCount, formatDuration, formatShare } from '../format.js';
import { rangeText } from '../judgement/arrays/growth-text.js';
import { MS_PER_DAY } from '../time-units.js';
import type { Paint } from './paint.js';
import { listed } from './text-layout.js';

type Figure = Exclude<FindingEvidence[string], undefined>;
type NumberFormat = (value: number) => string;

const LIST_ITEMS = 8;
/** Significant digits of a number below 1, such as a correlation. */
const FRACTION_DIGITS = 2;
const formatDays: NumberFormat = (days) => formatDuration(days * MS_PER_DAY);

/** Formats by a word anywhere in the name. */
const FORMAT_BY_WORD: ReadonlyMap<string, NumberFormat> = new Map([
  ['bytes', formatBytes],
  ['days', formatDays],
  ['share', formatShare],
  ['shares', formatShare],
]);
/** Formats by the last word of the name: `averageDocumentSize` is in bytes, `sizeCorrelation` is not. */
const FORMAT_BY_LAST_WORD: ReadonlyMap<string, NumberFormat> = new Map([
  ['size', formatBytes],
  ['sizes', formatBytes],
  ['ms', formatDuration],
  ['elapsed', formatDuration],
]);

/** Labels for names that would not be understood as they are. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['averageMs', 'average time'],
  ['copiedBy', 'reference'],
  ['countAtMax', 'arrays of that length'],
  ['daysSinceThen', 'counted before'],
  ['daysUntilReused', 'reused in'],
  ['distinctFieldsAtLeast', 'distinct fields, at least'],
  ['documentsExaminedWithIndex', 'documents examined with the index, estimated'],
  ['documentsExaminedWithIndexRange', 'probable range'],
  ['documentsExaminedWithIndexByQuery', 'by query'],
  ['documentsOverLine', 'documents above the threshold'],
  ['documentsOverLineAtLeast', 'documents above the threshold, at least'],
  ['documentsWithIt', 'documents affected'],
  ['elementKind', 'elements'],
  ['expired', 'expired documents'],
  ['expiredShareRange', 'in all documents'],
  ['fileBytes', 'size of these files'],
  ['heaviestPath', 'largest field'],
  ['heaviestShare', 'its share'],
  ['hiddenDaysAtLeast', 'hidden for, at least'],
  ['inMinority', 'values of rare types'],
  ['keysExaminedInBatchesEstimated', 'keys examined in batches, estimated'],
  ['medianElementsAtLeast', 'median elements, at least'],
  ['medianValuesAtLeast', 'median values, at least'],
  ['minorityShare', 'share of rare types'],
  ['minorityShareRange', 'in all documents'],
  ['mostCommonShare', 'share of the most common value'],
  ['mostElements', 'longest array'],
  ['mostValues', 'longest list'],
  ['plansExamined', 'documents and keys per execution'],
  ['plansExecuted', 'executions of each'],
  ['mostValuesAtLeast', 'longest list, at least'],
  ['newIndexBytesEstimated', 'its size, estimated'],
  ['newIndexBytesRange', 'its size is within'],
  ['newIndexEntries', 'entries of the index to create'],
  ['newIndexEntriesEstimated', 'entries of the index to create, estimated'],
  ['newIndexWrites', 'recorded writes that it adds to'],
  ['newIndexWritesPerDay', 'per day'],
  ['newIndexWritesWindow', 'recorded by'],
  ['outliersSeen', 'outliers found'],
  ['outliersSeenAtLeast', 'outliers found, at least'],
  ['servedBy', 'also served by'],
  ['servedByBytes', 'size of that index'],
  ['servedByKey', 'key of that index'],
  ['superfluousIndexes', 'superfluous beside it'],
  ['superfluousIndexBytes', 'size of those'],
  ['shareDiffering', 'share that differs'],
  ['shareDifferingRange', 'of all copies'],
  ['shareOfDocument', 'share of the document'],
  ['shareOfLimit', 'share of the limit'],
  ['sizeCorrelation', 'correlation with the size'],
]);
/** Words that only name a unit, which the figure itself shows. */
const UNIT_WORDS = new Set(['bytes', 'ms', 'days']);
const STATISTIC = /^(?:min|minimum|smallest|max|maximum|largest|mean|average|median|mode|typical|p\d+)$/;
const CAMEL_CASE = /^[a-z][A-Za-z0-9]*$/;
/** `windowDays` is in the text of `window`; `documentsShowing` has another name for people. */
const NOT_FIGURES = new Set(['source', 'window', 'windowDays', 'distribution', 'documentsShowing', 'figuresFrom']);
/** The last word of a name whose two numbers are the ends of a range. */
const RANGE = /Range$/;

export interface EvidenceFigure {
  readonly label: string;
  readonly value: string;
}

/**
 * The figures of the evidence. The name of a figure tells its unit: words such as `bytes`, `size`, `share` and `ms`; a bare
 * statistic such as `p99` has the distribution's. Two numbers are a range if the name says so, and days from now in
 * `forecastDays`. What is not known, zero, empty or only a judgement (true, false) is left out.
 */
export function figuresOf(evidence: FindingEvidence): EvidenceFigure[] {
  return Object.entries(evidence).flatMap(([name, value]) => {
    if (NOT_FIGURES.has(name) || value === undefined || saysNothing(name, value)) return [];
    const format = formatOfFigure(name, evidence);
    if (RANGE.test(name) && isPair(value))
      return [{ label: labelOf(name), value: value.map(format ?? formatNumber).join(' to ') }];
    return [{ label: labelOf(name), value: valueText(value, format) }];
  });
}

/** Figures that say most of how bad it is, the most telling first; of findings without any, the first number does. Judgement. */
const TELLING = [
  'distinctFields',
  'distinctFieldsAtLeast',
  'max',
  'largestBytes',
  'bytesReturned',
  'deepestSkip',
  'mostValues',
  'shareDiffering',
  'shareDangling',
  'minorityShare',
  'indexBytes',
] as const;
const EXAMINED = ['documentsExamined', 'keysExamined'] as const;

/** The one figure for a line in a list; null if no figure is a number. */
export function mainFigure(evidence: FindingEvidence): EvidenceFigure | null {
  const numbers = new Map(
    Object.entries(evidence).filter(
      ([name, value]) => typeof value === 'number' && !NOT_FIGURES.has(name) && !saysNothing(name, value),
    ),
  );
  const [most] = EXAMINED.filter((name) => numbers.has(name)).toSorted(
    (one, other) => Number(numbers.get(other)) - Number(numbers.get(one)),
  );
  const name = TELLING.find((each) => numbers.has(each)) ?? most ?? [...numbers.keys()][0];
  return name === undefined
    ? null
    : { label: labelOf(name), value: valueText(numbers.get(name) ?? 0, formatOfFigure(name, evidence)) };
}

export function evidenceFigures(evidence: FindingEvidence, paint: Paint): string[] {
  return figuresOf(evidence).map(({ label, value }) => `${paint('label', label)} ${paint('figure', value)}`);
}

/** A unit that the enclosing figure's name gives holds for everything in it, whatever the keys: they may be paths. */
function valueText(value: Figure, format: NumberFormat | undefined): string {
  if (typeof value === 'number') return (format ?? formatNumber)(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) return String(value);
  if (format === formatDays && isPair(value)) return rangeText({ earliest: value[0], latest: value[1] }) ?? 'already';
  const items = Array.isArray(value)
    ? value.map((item: Figure) => nestedText(item, format))
    : Object.entries(value)
        .filter(([, item]) => item !== null)
        .map(([name, item]) => `${name} ${nestedText(item as Figure, format ?? formatOf(name))}`);
  return listed(items, LIST_ITEMS);
}

function nestedText(value: Figure, format: NumberFormat | undefined): string {
  const text = valueText(value, format);
  const isListed = typeof value === 'object' && value !== null && !(format === formatDays && isPair(value));
  return isListed ? `(${text})` : text;
}

function saysNothing(name: string, value: Figure): boolean {
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
  return typeof value === 'boolean' || (value === 0 && !STATISTIC.test(name)) || (value === 1 && name === 'countAtMax');
}

function isPair(value: Figure): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'number');
}

/** A bare statistic has the unit of the distribution. */
function formatOfFigure(name: string, { distribution }: FindingEvidence): NumberFormat | undefined {
  return formatOf(name) ?? (STATISTIC.test(name) && distribution?.unit === 'bytes' ? formatBytes : undefined);
}

function formatOf(name: string): NumberFormat | undefined {
  const words = wordsOf(name);
  const word = words.find((each) => FORMAT_BY_WORD.has(each)) ?? '';
  return FORMAT_BY_WORD.get(word) ?? FORMAT_BY_LAST_WORD.get(words.at(-1) ?? '');
}

/** "valuesAgreed" → "values agreed", "largestBytes" → "largest"; a name that is not in camel case stays. */
function labelOf(name: string): string {
  const label = LABELS.get(name);
  if (label !== undefined) return label;
  if (!CAMEL_CASE.test(name)) return name;
  return wordsOf(name)
    .filter((word, index) => index === 0 || !UNIT_WORDS.has(word))
    .join(' ');
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');
}

function formatNumber(value: number): string {
  return Math.abs(value) < 1 ? String(Number(value.toPrecision(FRACTION_DIGITS))) : formatCount(value);
}
