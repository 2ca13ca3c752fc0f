import { formatBytes, formatCount, plural } from '../../format.js';
import { examinedBy } from '../../workload/operations/waste.js';
import { SEVERITIES, type Severity } from '../../severity.js';
import type { Report } from '../report.js';
import type { ReportedShape } from '../top-shapes-text.js';
import { bar, html, proseHtml, type Html } from './prose-html.js';

/** Rows of operations, and of collections; those that changed most. */
const MOST_ROWS = 6;

/** One thing that both reports have a figure of. */
interface Pair {
  readonly label: Html;
  readonly before: number;
  readonly after: number;
}

/**
 * Two reports side by side: findings by severity, what an execution of the same operation examines, sizes of the same
 * collection. What only one of them has is a finding's or the drift's, and is no pair.
 */
export function beforeAfterCard(before: Report, after: Report): Html {
  const findings = SEVERITIES.map((severity): Pair => ({
    label: html`${severity}`,
    before: counted(before, severity),
    after: counted(after, severity),
  }));
  const parts = [
    rowsHtml('Findings', findings, formatCount),
    rowsHtml('Documents and keys that an execution examines', changed(shapePairs(before, after)), formatCount),
    rowsHtml('Data and indexes', changed(sizePairs(before, after)), formatBytes),
  ];
  return html`<div class="card wide before-after"><h2>Before and after: ${startOf(before)} and ${startOf(after)} UTC</h2>
${parts}</div>`;
}

function startOf({ startedAt }: Report): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}

/** Known ones are findings of both; suppressed ones of neither. */
function counted({ findings }: Report, severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity && finding.suppressed === undefined).length;
}

function shapePairs({ topShapes: older = [] }: Report, { topShapes: newer = [] }: Report): Pair[] {
  const known = new Map(older.map((shape) => [keyOf(shape), examinedBy(shape)]));
  return newer.flatMap((shape) => {
    const [before, after] = [known.get(keyOf(shape)) ?? null, examinedBy(shape)];
    if (before === null || after === null) return [];
    return [{ label: html`<code>${shape.namespace}</code> ${proseHtml(shape.shape)}`, before, after }];
  });
}

function keyOf({ namespace, kind, shape }: ReportedShape): string {
  return JSON.stringify([namespace, kind, shape]);
}

function sizePairs({ collections: older }: Report, { collections: newer }: Report): Pair[] {
  const known = new Map(older.map((collection) => [collection.namespace, bytesOf(collection)]));
  return newer.flatMap((collection) => {
    const [before, after] = [known.get(collection.namespace) ?? null, bytesOf(collection)];
    return before === null || after === null
      ? []
      : [{ label: html`<code>${collection.namespace}</code>`, before, after }];
  });
}

/** Null if either is unknown. */
function bytesOf({ size, indexBytes }: Report['collections'][number]): number | null {
  return size === null || indexBytes === undefined ? null : size + indexBytes;
}

function changed(pairs: readonly Pair[]): Pair[] {
  const by = ({ before, after }: Pair) => Math.abs(after - before);
  return pairs.filter((pair) => by(pair) > 0).toSorted((one, other) => by(other) - by(one));
}

function rowsHtml(heading: string, pairs: readonly Pair[], format: (figure: number) => string): Html | null {
  if (pairs.length === 0) return null;
  const largest = Math.max(1, ...pairs.flatMap(({ before, after }) => [before, after]));
  const rows = pairs
    .slice(0, MOST_ROWS)
    .map(
      ({ label, before, after }) =>
        html`<li><p>${label}</p><p><span class="share">${bar(before / largest)} ${format(before)} before</span> <span class="share">${bar(after / largest)} ${format(after)} after</span></p></li>`,
    );
  const more = pairs.length - rows.length;
  return html`<h3>${heading}</h3><ul>${rows}</ul>${more === 0 ? null : html`<p class="soft">and ${plural(more, 'smaller change')}</p>`}
`;
}
