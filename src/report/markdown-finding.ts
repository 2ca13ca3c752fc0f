import type { Finding, Severity } from '../finding.js';
import { formatCount } from '../format.js';
import { moreAlike, type ShownFinding } from './alike-findings.js';
import { DO_FIRST, doFirst } from './do-first.js';
import { COMMAND_WIDTH, findingNotes } from './finding-text.js';
import { findingView, type FindingView, lineLinks, MISSING_INDEX, type Place } from './finding-view.js';
import { htmlText } from './html/prose-html.js';
import {
  foldedSection,
  htmlBlockCode,
  markdownCode,
  markdownCodeBlock,
  type MarkdownSection,
  markdownText,
} from './markdown-text.js';
import { indented } from './narrow-text.js';
import { stepNumber } from './remedy-steps.js';
import { spanText } from './section-lines.js';
import type { Entry, Section, Span, Table } from './section.js';
import { clipped, listed } from './text-layout.js';

const SEVERITY_TEXT: Readonly<Record<Severity, string>> = {
  error: '🛑 error',
  warning: '⚠️ warning',
  info: 'ℹ️ info',
};

/** Longest message in the table; the details have it whole. Columns. */
const MESSAGE_WIDTH = 160;

export function findingTable(rows: string): string {
  return `| Severity | Finding | What |\n| --- | --- | --- |\n${rows}\n`;
}

export function findingRow({ finding, alike }: ShownFinding): string {
  const { severity, check, namespace, message } = finding;
  const what = markdownText(clipped(message, MESSAGE_WIDTH));
  const path = pathMarkdown(finding);
  // Below each other: names can't be broken, and side by side they leave no room for the message in a comment.
  const places = [
    `**${markdownText(check)}**`,
    `${markdownCode(namespace)}${alike.length === 0 ? '' : ` ${moreAlike(alike)}`}`,
    ...(path === null ? [] : [path]),
  ];
  return `| ${[SEVERITY_TEXT[severity], places.join('<br>'), what].join(' | ')} |\n`;
}

export function findingDetails({ finding, alike }: ShownFinding, codeUrl?: string): string {
  const { severity, title, namespace, path, pathIs, message, check } = finding;
  const missing = pathIs === undefined ? '' : `${MISSING_INDEX} `;
  const place = [htmlBlockCode(namespace), ...(path === null ? [] : [missing + htmlBlockCode(path)])].join(' · ');
  return [
    `<details>\n<summary>${SEVERITY_TEXT[severity]} · ${htmlText(title)} in ${place}${alike.length === 0 ? '' : ` ${moreAlike(alike)}`}</summary>\n`,
    `${markdownText(message)}\n`,
    findingBody(findingView(finding), lineLinks(finding, codeUrl)),
    ...(alike.length === 0
      ? []
      : [`\n**${formatCount(alike.length)} more like it:**\n\n${alike.map(alikeItem).join('')}`]),
    `\nMore: \`mongolint explain ${markdownText(check)}\``,
    '\n</details>\n\n',
  ].join('\n');
}

function alikeItem(finding: Finding): string {
  return `- ${placeMarkdown(finding)}: ${markdownText(clipped(finding.message, MESSAGE_WIDTH))}\n`;
}

/** What stands behind the message: status, evidence, confidence and remedy. */
export function findingBody(view: FindingView, links: readonly { text: string; url: string }[] = []): string {
  const { status } = view.head;
  const linked = links.map(({ text, url }) => `[${markdownText(text)}](<${url}>)`).join(', ');
  const notes = [...(status === null ? [] : [{ label: 'Status', text: status }]), ...findingNotes(view)];
  return [
    ...notes.map(({ label, text }) => {
      return `- **${label}:** ${markdownText(text)}${label === 'Source' && linked !== '' ? `: ${linked}` : ''}`;
    }),
    '',
    ...remedyMarkdown(view.steps),
  ].join('\n');
}

/** The steps as a list, each command in a block of its own. */
function remedyMarkdown(steps: FindingView['steps']): string[] {
  const lines = steps.flatMap(({ text, blocks }, index) => {
    const number = stepNumber(index, steps);
    const code = blocks.flatMap((block) => [
      '',
      ...markdownCodeBlock(block.lines(COMMAND_WIDTH), block.isMongosh ? 'js' : ''),
    ]);
    const first = number === '' ? `**Remedy:** ${markdownText(text)}` : `${number}${markdownText(text)}`;
    return [first, ...indented(code, number.length), ...(code.length > 0 && index < steps.length - 1 ? [''] : [])];
  });
  return steps.length === 1 ? lines : ['**Remedy:**', '', ...lines];
}

/** What to do first, as a list: what it is and costs, what the remedy saves, and its first step. */
export function doFirstMarkdown(findings: readonly Finding[]): string {
  const items = doFirst(findings).map(({ finding, title, costs, asides, saves, commands, step }) => {
    const facts = [
      `${SEVERITY_TEXT[finding.severity]} ${finding.check}`,
      ...(saves === null ? [] : [saves]),
      ...costs,
      ...asides,
    ];
    const action = [
      ...(step === null ? [] : [markdownText(step), '']),
      ...commands.flatMap((block) => markdownCodeBlock(block.lines(COMMAND_WIDTH), 'js')),
    ];
    const below = indented([markdownText(facts.join(' · ')), '', ...action], 3);
    return [`1. **${markdownText(title)}**  `, ...below, ''].join('\n');
  });
  return items.length === 0 ? '' : `#### ${DO_FIRST}\n\n${items.join('')}\n`;
}

function placeMarkdown({ namespace, ...path }: Place): string {
  return [markdownCode(namespace), pathMarkdown(path)].filter((part) => part !== null).join(' · ');
}

function pathMarkdown({ path, pathIs }: Pick<Place, 'path' | 'pathIs'>): string | null {
  return path === null ? null : `${pathIs === undefined ? '' : `${MISSING_INDEX} `}${markdownCode(path)}`;
}

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
