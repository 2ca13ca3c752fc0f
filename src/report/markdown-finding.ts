import type { Finding, FixedFinding, Severity } from '../finding.js';
import { statusText } from './finding-status.js';
import { commandLinesOf, evidenceTextOf } from './finding-text.js';
import { htmlText } from './html/html-text.js';
import { htmlBlockCode, markdownCode, markdownCodeBlock, markdownText } from './markdown-text.js';
import { clipped } from './text-layout.js';

const SEVERITY_TEXT: Readonly<Record<Severity, string>> = { error: '🛑 error', warning: '⚠️ warning', info: 'ℹ️ info' };

/** Longest message in the table; the details have it whole. Columns. */
const MESSAGE_WIDTH = 160;

/** The table of findings; the rows are those of {@link findingRow}. */
export function findingTable(rows: string): string {
  return `| Severity | Check | Namespace | Path | What |\n| --- | --- | --- | --- | --- |\n${rows}\n`;
}

/** A finding as a row of the table. */
export function findingRow({ severity, check, namespace, path, message }: Finding): string {
  const what = markdownText(clipped(message, MESSAGE_WIDTH));
  const cells = [
    SEVERITY_TEXT[severity],
    markdownText(check),
    markdownCode(namespace),
    path === null ? '–' : markdownCode(path),
    what,
  ];
  return `| ${cells.join(' | ')} |\n`;
}

/** A finding in full, folded. */
export function findingDetails(finding: Finding): string {
  const { severity, title, namespace, path, confidence, message, remedy, check } = finding;
  const place = [namespace, ...(path === null ? [] : [path])].map(htmlBlockCode).join(' · ');
  const commands = commandLinesOf(finding);
  const status = statusText(finding);
  return [
    `<details>\n<summary>${SEVERITY_TEXT[severity]} · ${htmlText(title)} in ${place}</summary>\n`,
    `${markdownText(message)}\n`,
    ...(status === null ? [] : [`- **Status:** ${markdownText(status)}`]),
    `- **Evidence:** ${markdownText(evidenceTextOf(finding))}`,
    `- **Confidence:** ${confidence}`,
    `- **Remedy:** ${markdownText(remedy.text)}`,
    `- **More:** \`mongolint explain ${markdownText(check)}\``,
    ...(commands.length === 0 ? [] : ['', markdownCodeBlock(commands, 'js')]),
    '\n</details>\n\n',
  ].join('\n');
}

/** A finding that does not count, in a line. */
export function quietFindingLine(finding: Finding): string {
  const status = statusText(finding) ?? '';
  return `- ${SEVERITY_TEXT[finding.severity]} · ${placeText(finding)} – ${markdownText(status)}\n`;
}

/** A finding of the baseline that is gone, in a line. */
export function fixedFindingLine(finding: FixedFinding): string {
  return `- ✅ ${placeText(finding)}\n`;
}

function placeText({ check, namespace, path }: Pick<Finding, 'check' | 'namespace' | 'path'>): string {
  return [markdownText(check), markdownCode(namespace), ...(path === null ? [] : [markdownCode(path)])].join(' · ');
}
