import type { Finding } from '../../src/finding.js';
import { formatBytes, formatCount, formatDuration, formatShare } from '../../src/format.js';

const NUMBER = /(?:[<>] )?\d[\d,.]*(?: (?:%|(?:[KMGT]?B|ms|s|min|h|days)\b))?/g;

/** Limits of the server and of the literature, which messages name beside the figures. */
const CONSTANTS = new Set(['16 MB', '100', '200', '1,000', '8 MB', '1']);

/** Figures that a message derives from the evidence. */
function derived({ check, evidence }: Finding): number[] {
  const figure = (name: string) => evidence[name] as number;
  if (check === 'outlier-document')
    return [figure('largestBytes') / (figure('p95') || figure('p90')), ...('p95' in evidence ? [0.95] : [0.9])];
  if (check === 'split-one-to-few') return [figure('readsByJoin') / figure('parentReads')];
  return [];
}

/** Months and weeks, in which forecasts in days are told. */
const DAYS_OF: readonly number[] = [7, 365 / 12, 365];

/** The numbers in a finding's message that are none of its evidence, in any of the ways in which figures are written. */
export function unsupportedNumbers(finding: Finding): string[] {
  const { message, namespace, evidence } = finding;
  const figures = [...numbersIn(evidence), ...derived(finding)];
  const forecast = numbersIn(evidence['forecastDays']).flatMap((days) => DAYS_OF.map((unit) => days / unit));
  const known = new Set([...CONSTANTS, ...[...figures, ...forecast].flatMap(written)]);
  const text = message
    .replaceAll(/`[^`]*`|\{[^}]*\}|\bp\d\d\b|_id/g, ' ')
    .replaceAll(namespace, ' ')
    // Months, which the evidence has as texts.
    .replaceAll(/\b\d{4}-\d{2}\b/g, (month) => (JSON.stringify(evidence).includes(month) ? ' ' : month))
    .replaceAll(/\b[\w$]+\.[A-Za-z_]\w*/g, ' ');
  const windows = [evidence.window, evidence.source].join(' ');
  return [...text.matchAll(NUMBER)]
    .map(([token]) => token.trim().replace(/[.,]$/, ''))
    .filter((token) => !known.has(token) && !windows.includes(token));
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (Array.isArray(value)) return [value.length, ...value.flatMap(numbersIn)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

function written(value: number): string[] {
  // An estimate's range is rounded outwards, to two digits.
  const step = 10 ** (Math.floor(Math.log10(Math.max(1, Math.abs(value)))) - 1);
  const [least, most] = [Math.floor(value / step) * step, Math.ceil(value / step) * step];
  const forms = [
    value,
    Math.round(value),
    Math.floor(value),
    Math.ceil(value),
    Number(value.toPrecision(2)),
    least,
    most,
  ];
  return forms.flatMap((each) => [formatCount(each), formatBytes(each), formatShare(each), formatDuration(each)]);
}
