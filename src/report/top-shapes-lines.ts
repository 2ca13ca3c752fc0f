import type { Finding } from '../finding.js';
import { formatShare } from '../format.js';
import { indented } from './narrow-text.js';
import type { Paint } from './paint.js';
import { columnWidth } from './plain-table.js';
import type { Report } from './report.js';
import { UNKNOWN } from './section-lines.js';
import { clipped, flowed, padded, wrapped } from './text-layout.js';
import {
  briefReason,
  bulkInserts,
  findingsOfShape,
  reasonText,
  type ReportedShape,
  shapeFigures,
  topShapesHeading,
} from './top-shapes-text.js';

const GAP = 2;
const HEADS = ['Time', 'Examined'] as const;

/** With less room, the figures of an operation are left out. Columns. */
const LEAST_WITH_FIGURES = 140;

/**
 * The costliest operations, a line each: its shares of the time and of what is examined, what it is, and its finding or why
 * it has none. If it is shown whole, its figures follow.
 */
export function topShapesLines(
  report: Report,
  short: (finding: Finding) => string,
  most: number,
  width: number,
  paint: Paint,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): string[] {
  const shapes = (report.topShapes ?? []).slice(0, most);
  if (shapes.length === 0) return [];
  const verdictOf = (shape: ReportedShape) => {
    const found = findingsOfShape(shape, report.findings);
    if (found.length > 0) return found.map(short).join(', ');
    return isWhole ? `no finding: ${reasonText(shape)}` : briefReason(shape);
  };
  const bulk = bulkInserts(report, most);
  const all = [...shapes, ...(bulk === null ? [] : [{ msShare: bulk.msShare, examinedShare: null }])];
  const columns = [all.map(({ msShare }) => msShare), all.map(({ examinedShare }) => examinedShare)];
  const widths = columns.map((column, index) => columnWidth([HEADS[index] ?? '', ...column.map(shareText)]));
  const indent = widths.reduce((sum, each) => sum + each + GAP, 0);
  const room = width - indent;
  const shares = (of: readonly (number | null)[]) =>
    of.map((share, index) => padded(shareText(share), widths[index] ?? 0, 'left').concat(' '.repeat(GAP)));
  const verdicts = shapes.map(verdictOf);
  const last = isWhole ? 0 : columnWidth(verdicts) + GAP;
  const lines = shapes.flatMap((shape, index) => {
    const text = `${paint('name', shape.namespace)}: ${shape.shape}`;
    const begin = paint('figure', shares([shape.msShare, shape.examinedShare]).join(''));
    const figures = shapeFigures(shape).join(' · ');
    const verdict = paint('aside', verdicts[index] ?? '');
    if (isWhole) {
      const [first = '', ...more] = wrapped(text, room);
      return [begin + first, ...indented([...more, ...flowed([figures, verdict], ' · ', room)], indent)];
    }
    const whole = width < LEAST_WITH_FIGURES ? plainText(shape) : `${plainText(shape)} · ${figures}`;
    return [
      begin +
        painted(padded(clipped(whole, room - last), room - last), shape.namespace, paint) +
        ' '.repeat(GAP) +
        verdict,
    ];
  });
  const inserted = bulk === null ? [] : [shares([bulk.msShare, null]).join('') + paint('aside', bulk.text)];
  const heading = wrapped(topShapesHeading(report), room);
  return [
    ...heading.map((line, index) =>
      index === 0
        ? paint('label', HEADS.map((head, column) => padded(head, widths[column] ?? 0) + ' '.repeat(GAP)).join('')) +
          paint('heading', line)
        : ' '.repeat(indent) + paint('heading', line),
    ),
    ...lines,
    ...inserted,
  ];
}

function shareText(share: number | null): string {
  return share === null ? UNKNOWN : formatShare(share);
}

function plainText({ namespace, shape }: ReportedShape): string {
  return `${namespace}: ${shape}`;
}

/** The name at the beginning of a text that may have been cut there. */
function painted(text: string, name: string, paint: Paint): string {
  return text.startsWith(name) ? paint('name', name) + text.slice(name.length) : text;
}
