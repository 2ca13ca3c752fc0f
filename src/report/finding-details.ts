import type { z } from 'zod';
import type { Finding, histogramSchema } from '../finding.js';
import type { NamespaceFindings } from '../findings/finding-order.js';
import { formatBytes, plural, formatCount, formatShare } from '../format.js';
import { evidenceFigures } from './evidence-figures.js';
import { locationTexts } from './finding-location.js';
import { impactTexts, furtherReasonTexts, ownerText, pathText } from './finding-text.js';
import type { Paint } from './paint.js';
import { adviceKey, type AdvisedBefore, remedyLines } from './remedy-lines.js';
import { shownSteps } from './remedy-steps.js';
import type { ReportedCollection } from './reported-collection.js';
import { flowed, indented, labelled, textWidth, wrapped, padded } from './text-layout.js';

type Histogram = z.infer<typeof histogramSchema>;

type Bucket = Histogram['buckets'][number];

/** From an eighth of a column to a whole one. */
const BAR_EIGHTHS = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'] as const;

const EIGHTHS = BAR_EIGHTHS.length;

/** A longer bar shows nothing more. Columns. */
const LONGEST_BAR = 32;

const SHORTEST_BAR = 4;

const GAP = '  ';

const INDENT = 2;
const LABEL_WIDTH = 10;
/** Longer lines are hard to read. Columns. */
const PROSE_WIDTH = 96;
const SEPARATOR = ' · ';

/** @param advised the first finding with each advice, by {@link adviceKey} */
export function namespaceLines(
  { namespace, findings }: NamespaceFindings,
  advised: ReadonlyMap<string, Finding>,
  collection: ReportedCollection | undefined,
  width: number,
  paint: Paint,
): string[] {
  const facts = collection === undefined ? [] : factsOf(collection).map((fact) => paint('aside', fact));
  return [
    ...flowed([paint('heading', namespace), ...facts], SEPARATOR, width),
    paint('aside', '─'.repeat(width)),
    ...findings.flatMap((finding, index) => [
      '',
      ...findingLines(finding, saidBefore(finding, findings.slice(0, index), advised), width, paint),
    ]),
  ];
}

/** What the findings above have advised already. */
function saidBefore(finding: Finding, above: readonly Finding[], advised: ReadonlyMap<string, Finding>): AdvisedBefore {
  const first = advised.get(adviceKey(finding));
  return {
    samePath: above.filter((other) => other.path === finding.path),
    elsewhere: first?.namespace === finding.namespace ? undefined : first,
  };
}

function factsOf({ documents, averageDocumentSize, size }: ReportedCollection): string[] {
  if (documents === 0) return [plural(documents, 'document')];
  return [
    ...(documents === null ? [] : [plural(documents, 'document')]),
    ...(averageDocumentSize === null ? [] : [`${formatBytes(averageDocumentSize)} on average`]),
    ...(size === null ? [] : [formatBytes(size)]),
  ];
}

function findingLines(finding: Finding, before: AdvisedBefore, width: number, paint: Paint): string[] {
  const body = width - INDENT;
  const column = Math.min(PROSE_WIDTH, body);
  const hasBlocks = shownSteps(finding.remedy).some(({ blocks }) => blocks.length > 0);
  return [
    ...headingLines(finding, width, paint),
    ...indented(
      [
        ...wrapped(finding.message, column),
        ...furtherReasonTexts(finding).flatMap(({ label, text }) => [
          '',
          ...wrapped(`${paint('label', label)}: ${text}`, column),
        ]),
        '',
        ...evidenceLines(finding, column, paint),
        ...sourceTexts(finding, body, paint),
        '',
        ...remedyLines(finding, before, { label: LABEL_WIDTH, text: column, body }, paint),
        ...(hasBlocks ? [''] : []),
        ...labelled(paint('label', 'more'), LABEL_WIDTH, [paint('aside', `mongolint explain ${finding.check}`)]),
      ],
      INDENT,
    ),
  ];
}

/** Severity, check, path and confidence: the namespace stands above. */
function headingLines(finding: Finding, width: number, paint: Paint): string[] {
  const { severity, check, confidence, baseline } = finding;
  const subject = [check, pathText(finding)].filter((part) => part !== null).map((part) => paint('name', part));
  const before = baseline?.severityBefore ?? null;
  const owner = ownerText(finding);
  const asides = [
    `${confidence} confidence`,
    ...(before === null ? [] : [`${before} in the baseline`]),
    ...(owner === null ? [] : [owner]),
  ];
  const [first = '', ...rest] = [...subject, ...asides.map((aside) => paint('aside', aside))];
  return flowed([`${paint(severity, severity.toUpperCase())}  ${first}`, ...rest], SEPARATOR, width);
}

function sourceTexts(finding: Finding, width: number, paint: Paint): string[] {
  const texts = locationTexts(finding);
  if (texts.length === 0) return [];
  return ['', ...labelled(paint('label', 'source'), LABEL_WIDTH, flowed(texts, SEPARATOR, width - LABEL_WIDTH))];
}

function evidenceLines(finding: Finding, width: number, paint: Paint): string[] {
  const { evidence } = finding;
  const impact = impactTexts(finding);
  const column = width - LABEL_WIDTH;
  const bars = evidence.distribution === undefined ? [] : histogramLines(evidence.distribution, column, paint);
  return labelled(paint('label', 'evidence'), LABEL_WIDTH, [
    ...wrapped(`${evidence.source}: ${evidence.window}`, column),
    ...flowed(evidenceFigures(evidence, paint), SEPARATOR, column),
    ...(bars.length === 0 ? [] : ['', ...bars]),
    ...(impact.length === 0 ? [] : ['', ...flowed(impact, SEPARATOR, column)]),
  ]);
}

/** Horizontal bars to scale; a bar that counts something is never invisible. Empty ranges in a row share one line. */
export function histogramLines({ unit, buckets }: Histogram, width: number, paint: Paint): string[] {
  const rows = withEmptyMerged(buckets);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return [];
  const ranges = [unit, ...rows.map((bucket) => rangeText(bucket, unit))];
  const counts = ['count', ...rows.map(({ count }) => formatCount(count))];
  const shares = ['share', ...rows.map(({ count }) => (count === 0 ? '' : formatShare(count / total)))];
  const [rangeWidth, countWidth, shareWidth] = [ranges, counts, shares].map(widest) as [number, number, number];
  const room = width - rangeWidth - countWidth - shareWidth - 3 * GAP.length;
  const barWidth = Math.max(SHORTEST_BAR, Math.min(LONGEST_BAR, room));
  const largest = Math.max(...rows.map(({ count }) => count));
  return ranges.map((range, index) => {
    const bucket = rows[index - 1];
    const bar = (bucket === undefined ? '' : barText(bucket.count / largest, barWidth)).padEnd(barWidth);
    const start = padded(range, rangeWidth, 'left');
    const figures = `${padded(counts[index] ?? '', countWidth, 'left')}${GAP}${padded(shares[index] ?? '', shareWidth, 'left')}`;
    return bucket === undefined
      ? paint('label', `${start}${GAP}${bar}${GAP}${figures}`)
      : `${start}${GAP}${paint('bar', bar)}${GAP}${figures}`.trimEnd();
  });
}

function withEmptyMerged(buckets: readonly Bucket[]): Bucket[] {
  const rows: Bucket[] = [];
  for (const bucket of buckets) {
    const last = rows.at(-1);
    if (last !== undefined && last.count === 0 && bucket.count === 0)
      rows[rows.length - 1] = { ...last, to: bucket.to };
    else rows.push(bucket);
  }
  return rows;
}

function rangeText({ from, to }: Bucket, unit: Histogram['unit']): string {
  const format = unit === 'bytes' ? formatBytes : formatCount;
  const [start, end] = [format(from), format(to)];
  return start === end ? start : `${start} – ${end}`;
}

function barText(share: number, width: number): string {
  if (share === 0) return '';
  const eighths = Math.max(1, Math.round(share * width * EIGHTHS));
  const rest = eighths % EIGHTHS;
  return '█'.repeat(Math.floor(eighths / EIGHTHS)) + (rest === 0 ? '' : BAR_EIGHTHS[rest - 1]);
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(textWidth));
}
