import type { Finding, FixedFinding, Severity } from '../finding.js';
import { statusText } from './finding-status.js';
import { COMMAND_WIDTH, evidenceTextOf } from './finding-text.js';
import { htmlText } from './html/html-text.js';
import { htmlBlockCode, markdownCode, markdownCodeBlock, markdownText } from './markdown-text.js';
import type { MissingKnown } from './missing-known.js';
import { shownSteps, stepNumber } from './remedy-steps.js';
import { clipped, indented } from './text-layout.js';

const SEVERITY_TEXT: Readonly<Record<Severity, string>> = { error: '🛑 error', warning: '⚠️ warning', info: 'ℹ️ info' };

/** Longest message in the table; the details have it whole. Columns. */
const MESSAGE_WIDTH = 160;

export function findingTable(rows: string): string {
  return `| Severity | Check | Namespace | Path | What |\n| --- | --- | --- | --- | --- |\n${rows}\n`;
}

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

export function findingDetails(finding: Finding): string {
  const { severity, title, namespace, path, message, check } = finding;
  const place = [namespace, ...(path === null ? [] : [path])].map(htmlBlockCode).join(' · ');
  return [
    `<details>\n<summary>${SEVERITY_TEXT[severity]} · ${htmlText(title)} in ${place}</summary>\n`,
    `${markdownText(message)}\n`,
    findingBody(finding),
    `\nMore: \`mongolint explain ${markdownText(check)}\``,
    '\n</details>\n\n',
  ].join('\n');
}

/** What stands behind the message: status, evidence, confidence and remedy. */
export function findingBody(finding: Finding): string {
  const status = statusText(finding);
  return [
    ...(status === null ? [] : [`- **Status:** ${markdownText(status)}`]),
    `- **Evidence:** ${markdownText(evidenceTextOf(finding))}`,
    `- **Confidence:** ${finding.confidence}`,
    '',
    ...remedyMarkdown(finding.remedy),
  ].join('\n');
}

/** The steps as a list, each command in a block of its own. */
function remedyMarkdown(remedy: Finding['remedy']): string[] {
  const steps = shownSteps(remedy);
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

export function quietFindingLine(finding: Finding): string {
  const status = statusText(finding) ?? '';
  return `- ${SEVERITY_TEXT[finding.severity]} · ${placeText(finding)} – ${markdownText(status)}\n`;
}

export function missingFindingLine(finding: FixedFinding, id: MissingKnown['id']): string {
  return `- ${id === 'fixed' ? '✅ ' : ''}${placeText(finding)}\n`;
}

function placeText({ check, namespace, path }: Pick<Finding, 'check' | 'namespace' | 'path'>): string {
  return [markdownText(check), markdownCode(namespace), ...(path === null ? [] : [markdownCode(path)])].join(' · ');
}
