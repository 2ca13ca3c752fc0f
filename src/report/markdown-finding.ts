import type { Finding, Severity } from '../finding.js';
import { formatCount, formatShare } from '../format.js';
import { moreAlike, type ShownFinding } from './alike-findings.js';
import { COMMAND_WIDTH, findingNotes } from './finding-text.js';
import { findingView, type FindingView, lineLinks, MISSING_INDEX, type Place } from './finding-view.js';
import { fixFirst, fixFirstHeadline } from './fix-first.js';
import { htmlText } from './html/prose-html.js';
import { htmlBlockCode, markdownCode, markdownCodeBlock, markdownText } from './markdown-text.js';
import { stepNumber } from './remedy-steps.js';
import { clipped, indented } from './text-layout.js';

export const SEVERITY_TEXT: Readonly<Record<Severity, string>> = {
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

export function fixFirstMarkdown(findings: readonly Finding[]): string {
  const first = fixFirst(findings);
  if (first === null) return '';
  const items = first.findings.map(({ finding, share }) => {
    return `1. ${formatShare(share)}: ${markdownText(finding.check)} · ${placeMarkdown(finding)}\n`;
  });
  return `**${markdownText(fixFirstHeadline(first))}:**\n\n${items.join('')}\n`;
}

export function placeMarkdown({ namespace, ...path }: Place): string {
  return [markdownCode(namespace), pathMarkdown(path)].filter((part) => part !== null).join(' · ');
}

function pathMarkdown({ path, pathIs }: Pick<Place, 'path' | 'pathIs'>): string | null {
  return path === null ? null : `${pathIs === undefined ? '' : `${MISSING_INDEX} `}${markdownCode(path)}`;
}
