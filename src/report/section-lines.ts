import { formatCount } from '../format.js';
import { placeOf } from './finding-view.js';
import { indented } from './narrow-text.js';
import type { Paint } from './paint.js';
import { columnWidth, plainTable, TABLE_GAP } from './plain-table.js';
import type { Cell, Entry, Fact, Section, Span, Table } from './section.js';
import { clipped, flowed, labelled, listed, wrapped } from './text-layout.js';

const INDENT = 2;
const LABEL_WIDTH = 13;
/** With less room, a cell that is cut says nothing. Columns. */
const LEAST_CUT = 12;
export const UNKNOWN = '–';

/** A section for a terminal: nothing if it is empty. */
export function sectionLines(
  { heading, facts = [], entries = [], table }: Section,
  width: number,
  paint: Paint,
): string[] {
  const inner = width - INDENT;
  const lines = [...factLines(facts, inner, paint), ...entries.flatMap((entry) => entryLines(entry, inner, paint))];
  return titled(
    heading,
    [...indented(lines, INDENT), ...(table === undefined ? [] : tableLines(table, width, paint))],
    paint,
  );
}

export function titled(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : [paint('heading', title), ...lines];
}

function factLines(facts: readonly Fact[], width: number, paint: Paint): string[] {
  const column = width - LABEL_WIDTH;
  return facts.flatMap(({ label, texts, short }) => {
    const lines = short ? flowed(texts, ' · ', column) : texts.flatMap((text) => wrapped(text, column));
    return labelled(paint('label', label), LABEL_WIDTH, lines);
  });
}

function entryLines(entry: Entry, width: number, paint: Paint): string[] {
  const { head, tone = 'name', names = [], count, note, lines = [], asides = [], entries = [] } = entry;
  const below = (text: string) => wrapped(text, width - INDENT);
  const shown = names.length === 0 ? '' : `: ${listed(names, names.length, count)}`;
  const title = paint(tone, head.map(spanText).join(' · '));
  return [
    ...wrapped(`${title}${shown}${note === undefined ? '' : ` (${note})`}`, width),
    ...indented(
      [
        ...lines.flatMap(below),
        ...asides.flatMap((text) => below(paint('aside', text))),
        ...entries.flatMap((each) => entryLines(each, width - INDENT, paint)),
      ],
      INDENT,
    ),
  ];
}

/** A table as wide as what stands in it, or as the page: the column that may be cut takes the room that is left. */
export function tableLines(
  { columns, rows, more = 0 }: Table,
  width: number,
  paint: Paint,
  leastCut = LEAST_CUT,
): string[] {
  if (rows.length === 0) return [];
  const texts = rows.map((row) => row.map(cellText));
  const room = columns.reduce((left, { head, isMinor, cut }, index) => {
    if (isMinor === true || cut !== undefined) return left;
    return left - TABLE_GAP - columnWidth([head, ...texts.map((row) => row[index] ?? '')]);
  }, width);
  const shown = columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ isMinor, cut }) => isMinor !== true && (cut !== 'end' || room >= leastCut));
  const cells = rows.map((row, number) =>
    shown.map(({ index, cut }) => {
      const text = texts[number]?.[index] ?? '';
      return painted(row[index] ?? '', cut === undefined ? text : clipped(text, Math.max(leastCut, room), cut), paint);
    }),
  );
  const numbers = shown.filter(({ isNumber }) => isNumber === true).map(({ head }) => head);
  const heads = shown.map(({ head }) => head);
  const last = more === 0 ? [] : [paint('aside', `and ${formatCount(more)} more; --verbose lists all`)];
  return [...plainTable(heads, cells, paint, numbers), ...last];
}

export function cellText(cell: Cell): string {
  return isSpan(cell) ? spanText(cell) : cell.map(spanText).join(' ');
}

function isSpan(cell: Cell): cell is Span {
  return !Array.isArray(cell);
}

export function spanText(span: Span): string {
  if (typeof span === 'string') return span;
  if ('code' in span) return span.code;
  if ('place' in span) return placeOf(span.place);
  if ('state' in span) return span.text;
  return 'figure' in span ? (span.figure ?? UNKNOWN) : span.severity;
}

function painted(span: Cell, text: string, paint: Paint): string {
  if (typeof span === 'string' || !isSpan(span)) return text;
  if ('code' in span || 'place' in span) return paint('name', text);
  const severity = 'severity' in span ? span.severity : undefined;
  return severity === undefined ? text : paint(text === '0' ? 'aside' : severity, text);
}
