import type { Finding } from '../finding.js';
import { formatShare } from '../format.js';
import { indented } from './narrow-text.js';
import type { Paint } from './paint.js';
import { columnWidth } from './plain-table.js';
import type { Report } from './report.js';
import { UNKNOWN } from './section-lines.js';
import { clipped, flowed, padded, textWidth, wrapped } from './text-layout.js';
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
  const shares = [...shapes, ...(bulk === null ? [] : [{ msShare: bulk.msShare, examinedShare: null }])].map(
    shareTexts,
  );
  const widths = HEADS.map((head, column) => columnWidth([head, ...shares.map((texts) => texts[column] ?? '')]));
  const inColumns = (texts: readonly string[], side?: 'left') =>
    texts.map((text, column) => padded(text, widths[column] ?? 0, side) + ' '.repeat(GAP)).join('');
  const begins = shares.map((texts) => inColumns(texts, 'left'));
  const indent = textWidth(inColumns(HEADS));
  const room = width - indent;
  const verdicts = shapes.map(verdictOf);
  const roomForText = room - columnWidth(verdicts) - GAP;
  const lines = shapes.flatMap((shape, index) => {
    const text = `${shape.namespace}: ${shape.shape}`;
    const begin = paint('figure', begins[index] ?? '');
    const figures = shapeFigures(shape).join(' · ');
    const verdict = paint('aside', verdicts[index] ?? '');
    if (isWhole) {
      const [first = '', ...more] = wrapped(painted(text, shape.namespace, paint), room);
      return [begin + first, ...indented([...more, ...flowed([figures, verdict], ' · ', room)], indent)];
    }
    const whole = width < LEAST_WITH_FIGURES ? text : `${text} · ${figures}`;
    const cut = padded(clipped(whole, roomForText), roomForText);
    return [begin + painted(cut, shape.namespace, paint) + ' '.repeat(GAP) + verdict];
  });
  const [title = '', ...more] = wrapped(topShapesHeading(report), room).map((line) => paint('heading', line));
  return [
    paint('label', inColumns(HEADS)) + title,
    ...indented(more, indent),
    ...lines,
    ...(bulk === null ? [] : [(begins.at(-1) ?? '') + paint('aside', bulk.text)]),
  ];
}

function shareTexts({ msShare, examinedShare }: Pick<ReportedShape, 'msShare' | 'examinedShare'>): string[] {
  return [msShare, examinedShare].map((share) => (share === null ? UNKNOWN : formatShare(share)));
}

/** The name at the beginning of a text that may have been cut there. */
function painted(text: string, name: string, paint: Paint): string {
  return text.startsWith(name) ? paint('name', name) + text.slice(name.length) : text;
}
