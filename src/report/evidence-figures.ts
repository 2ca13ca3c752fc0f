import type { FindingEvidence } from '../finding.js';
import { formatBytes, formatCount, formatDuration, formatShare } from '../format.js';
import { rangeText } from '../judgement/arrays/growth-text.js';
import { MS_PER_DAY } from '../time-units.js';
import type { Paint } from './paint.js';
import { listed } from './text-layout.js';

type Figure = Exclude<FindingEvidence[string], undefined>;
type NumberFormat = (value: number) => string;

/** Items of a list that are printed; the JSON report has them all. */
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

/** Words that only name a unit, which the figure itself shows. */
const UNIT_WORDS = new Set(['bytes', 'ms', 'days']);
const STATISTIC = /^(?:min|minimum|smallest|max|maximum|largest|mean|average|median|mode|typical|p\d+)$/;
const CAMEL_CASE = /^[a-z][A-Za-z0-9]*$/;
/** `windowDays` is in the text of `window`. */
const NOT_FIGURES = new Set(['source', 'window', 'windowDays', 'distribution']);
/** The last word of a name whose two numbers are the ends of a range. */
const RANGE = /Range$/;

/** A figure of the evidence, as people read it: "p99" and "12 MB". */
export interface EvidenceFigure {
  readonly label: string;
  readonly value: string;
}

/**
 * The figures of the evidence. The name of a figure tells its unit: words such as `bytes`, `size`, `share` and `ms`; a
 * bare statistic such as `p99` has the distribution's; everything else is a number as it stands. Two numbers are a range
 * where the name says so, and days from now in `forecastDays`. Figures that are null, so not known, and empty lists are left out.
 */
export function figuresOf(evidence: FindingEvidence): EvidenceFigure[] {
  const statistic = evidence.distribution?.unit === 'bytes' ? formatBytes : undefined;
  return Object.entries(evidence).flatMap(([name, value]) => {
    if (NOT_FIGURES.has(name) || value === null || value === undefined || isEmpty(value)) return [];
    const format = formatOf(name) ?? (STATISTIC.test(name) ? statistic : undefined);
    if (RANGE.test(name) && isPair(value))
      return [{ label: labelOf(name), value: value.map(format ?? formatNumber).join(' to ') }];
    return [{ label: labelOf(name), value: valueText(value, format) }];
  });
}

/** {@link figuresOf} as short texts, "p99 12 MB". */
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

function isEmpty(value: Figure): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isPair(value: Figure): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'number');
}

function formatOf(name: string): NumberFormat | undefined {
  const words = wordsOf(name);
  const word = words.find((each) => FORMAT_BY_WORD.has(each)) ?? '';
  return FORMAT_BY_WORD.get(word) ?? FORMAT_BY_LAST_WORD.get(words.at(-1) ?? '');
}

/** "shareOfDocument" → "share of document", "largestBytes" → "largest"; what is no name in camel case stays as it is. */
function labelOf(name: string): string {
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
