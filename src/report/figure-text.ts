import type { FindingEvidence } from '../finding.js';
import { formatBytes, formatCount, formatDuration, formatShare } from '../format.js';
import { rangeText } from '../judgement/arrays/growth-text.js';
import { MS_PER_DAY } from '../time-units.js';
import { figureNamed, type Unit } from './evidence-figures.js';
import { listed } from './text-layout.js';

type Value = Exclude<FindingEvidence[string], undefined>;

const LIST_ITEMS = 8;
/** Significant digits of a number below 1, such as a correlation. */
const FRACTION_DIGITS = 2;

export interface EvidenceFigure {
  readonly label: string;
  readonly value: string;
}

/** The figures of the evidence. What is not known, zero, empty or only a judgement (true, false) is left out. */
export function figuresOf(evidence: FindingEvidence, without: readonly string[] = []): EvidenceFigure[] {
  const figures = Object.entries(evidence).flatMap(([name, value]) =>
    value === undefined || without.includes(name) || saysNothing(name, value)
      ? []
      : [{ name, ...figureOf(name, value, evidence) }],
  );
  return figures
    .filter(({ name }) => figureNamed(name).behind === undefined)
    .map(({ name, label, value }) => {
      const behind = figures.filter((other) => figureNamed(other.name).behind === name).map(figureText);
      return { label, value: behind.length === 0 ? value : `${value} (${behind.join(', ')})` };
    });
}

export function figureText({ label, value }: EvidenceFigure): string {
  return label === '' ? value : `${label} ${value}`;
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
];
const EXAMINED = ['documentsExamined', 'keysExamined'];

/** The one figure for a line in a list; null if no figure is a number. */
export function mainFigure(evidence: FindingEvidence): EvidenceFigure | null {
  const numbers = new Map(
    Object.entries(evidence).flatMap(([name, value]): [string, number][] =>
      typeof value === 'number' && figureNamed(name).behind === undefined && !saysNothing(name, value)
        ? [[name, value]]
        : [],
    ),
  );
  const [most] = EXAMINED.filter((name) => numbers.has(name)).toSorted(
    (one, other) => Number(numbers.get(other)) - Number(numbers.get(one)),
  );
  const name = TELLING.find((each) => numbers.has(each)) ?? most ?? [...numbers.keys()][0];
  return name === undefined ? null : figureOf(name, numbers.get(name) ?? 0, evidence);
}

function figureOf(name: string, value: Value, { distribution }: FindingEvidence): EvidenceFigure {
  const { unit, label = inWords(name), isRange } = figureNamed(name);
  const own = unit === 'statistic' ? (distribution?.unit === 'bytes' ? 'bytes' : 'count') : unit;
  if (isRange === true && isPair(value)) return { label, value: value.map((end) => numberText(end, own)).join(' to ') };
  return { label, value: valueText(value, own) };
}

function saysNothing(name: string, value: Value): boolean {
  const { unit } = figureNamed(name);
  if (unit === 'hidden' || value === null || typeof value === 'boolean') return true;
  if (typeof value === 'object') return Object.keys(value).length === 0;
  return (value === 0 && unit !== 'statistic') || (value === 1 && name === 'countAtMax');
}

/** A unit holds for everything in a figure, whatever the keys: they may be paths. */
function valueText(value: Value, unit: Unit): string {
  if (typeof value === 'number') return numberText(value, unit);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) return String(value);
  if (unit === 'days' && isPair(value)) return rangeText({ earliest: value[0], latest: value[1] }) ?? 'already';
  if (unit === 'reads' && 'all' in value) return readsText(value as unknown as Reads);
  const items = Array.isArray(value)
    ? value.map((item: Value) => nestedText(item, unit))
    : Object.entries(value as Record<string, Value>)
        .filter(([, item]) => item !== null)
        .map(([name, item]) => `${name} ${nestedText(item, unit === 'rows' ? figureNamed(name).unit : unit)}`);
  return listed(items, LIST_ITEMS);
}

function nestedText(value: Value, unit: Unit): string {
  const text = valueText(value, unit);
  const isListed = typeof value === 'object' && value !== null && !(unit === 'days' && isPair(value));
  return isListed ? `(${text})` : text;
}

/** How recorded reads use an array or a field. */
interface Reads {
  readonly seenBy: string;
  readonly all: number;
  readonly without: number;
  readonly ofSlice: number;
}

function readsText({ seenBy, all, without, ofSlice }: Reads): string {
  const parts = [
    ...(without === 0 ? [] : [`${formatCount(without)} of ${formatCount(all)} leave it out`]),
    ...(ofSlice === 0 ? [] : [`${formatCount(ofSlice)} of ${formatCount(all)} return a slice`]),
  ];
  return `${parts.join(', ')} (${seenBy})`;
}

function isPair(value: Value): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'number');
}

/** "valuesAgreed" → "values agreed"; a name that is not in camel case stays. */
function inWords(name: string): string {
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) return name;
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}

function numberText(value: number, unit: Unit): string {
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 'share') return formatShare(value);
  if (unit === 'ms') return formatDuration(value);
  if (unit === 'days') return formatDuration(value * MS_PER_DAY);
  return Math.abs(value) < 1 ? String(Number(value.toPrecision(FRACTION_DIGITS))) : formatCount(value);
}
