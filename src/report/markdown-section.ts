import { placeMarkdown, SEVERITY_TEXT } from './markdown-finding.js';
import { foldedSection, markdownCode, type MarkdownSection, markdownText } from './markdown-text.js';
import { spanText } from './section-lines.js';
import type { Entry, Section, Span, Table } from './section.js';
import { listed } from './text-layout.js';

/**
 * A section for a comment. A table is open, and so is what is said to be; the rest is folded away.
 *
 * @param share of the room that is left
 */
export function markdownSection(section: Section, share: number, isOpen = false): MarkdownSection {
  const { heading, facts = [], entries = [], table } = section;
  const pieces = [
    ...facts.map(({ label, texts }) => `- **${label}:** ${texts.map(markdownText).join(' · ')}\n`),
    ...entries.flatMap((entry) => entryPieces(entry, '')),
  ];
  if (table !== undefined) return tableSection(heading, table, share);
  return isOpen
    ? { pieces, share, wrap: (text) => `#### ${heading}\n\n${text}\n` }
    : foldedSection(heading, pieces, share);
}

/** An entry with its texts, and each entry below it. */
function entryPieces(entry: Entry, indent: string): string[] {
  const { head, tone, names = [], count, note, lines = [], asides = [], entries = [] } = entry;
  const isTitle = names.length + lines.length + asides.length + entries.length > 0 && typeof head[0] === 'string';
  const title = head.map(spanMarkdown).join(' · ');
  const shown = names.length === 0 ? '' : ` ${listed(names.map(markdownCode), names.length, count)}`;
  const first = [
    tone === 'good' ? '✅ ' : '',
    isTitle ? `**${title}${shown === '' ? '' : ':'}**` : title,
    shown,
    note === undefined ? '' : ` (${markdownText(note)})`,
  ].join('');
  const texts = [
    `- ${first}`,
    ...lines.map((line) => `  - ${markdownText(line)}`),
    ...asides.map((text) => `  ${markdownText(text)}`),
  ];
  return [
    texts.map((text) => `${indent}${text}\n`).join(''),
    ...entries.flatMap((each) => entryPieces(each, `${indent}  `)),
  ];
}

function tableSection(heading: string, { columns, rows }: Table, share: number): MarkdownSection {
  const shown = columns.map((column, index) => ({ ...column, index })).filter(({ isMinor }) => isMinor !== true);
  const heads = row(shown.map(({ head }) => head)) + row(shown.map(({ isNumber }) => (isNumber ? '---:' : '---')));
  return {
    pieces: rows.map((cells) => row(shown.map(({ index }) => [cells[index] ?? ''].flat().map(spanMarkdown).join(' ')))),
    share,
    wrap: (text) => `**${heading}**\n\n${heads}${text}\n`,
  };
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

function spanMarkdown(span: Span): string {
  if (typeof span === 'string') return markdownText(span);
  if ('code' in span) return markdownCode(span.code);
  if ('place' in span) return placeMarkdown(span.place);
  if ('figure' in span || 'state' in span) return markdownText(spanText(span));
  return SEVERITY_TEXT[span.severity];
}
