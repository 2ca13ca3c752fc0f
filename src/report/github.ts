import { packageInfo } from '../files/package-root.js';
import type { Severity } from '../finding.js';
import { worstFirst } from '../findings/finding-order.js';
import { formatCount } from '../format.js';
import { terminalText } from '../text/terminal-text.js';
import { conclusion } from './conclusion.js';
import { isActive } from './finding-status.js';
import { findingLines } from './finding-text.js';
import { certainLocation, findingView, headlineOf } from './finding-view.js';
import { PLAIN } from './paint.js';
import { printableReport } from './printable-report.js';
import { type AnchorOptions, DEFAULT_ANCHOR, type SharingOptions } from './report-options.js';
import type { Report } from './report.js';
import { failuresOf } from './run-failure.js';
import type { FailedTarget } from './target-reports.js';

type Level = 'error' | 'warning' | 'notice';

const LEVELS: Readonly<Record<Severity, Level>> = { error: 'error', warning: 'warning', info: 'notice' };

/** Annotations of one level that GitHub shows for a step; it drops the rest without a word. */
const ANNOTATIONS_PER_LEVEL = 10;

/**
 * The report as workflow commands of GitHub Actions: an annotation for each finding that counts, the worst first, as many as
 * GitHub shows, and one with the conclusion.
 */
export function renderGithub(
  report: Report,
  { anchor = DEFAULT_ANCHOR, sharedBy = 1 }: AnchorOptions & SharingOptions = {},
): string {
  const safe = printableReport(report);
  const levelOfSummary = summaryLevel(safe);
  const most = Math.floor(ANNOTATIONS_PER_LEVEL / sharedBy);
  const left = new Map<Level, number>((['error', 'warning', 'notice'] as const).map((level) => [level, most]));
  left.set(levelOfSummary, most - 1);
  const active = worstFirst(safe.findings.filter(isActive));
  const lines = active.flatMap((finding) => {
    const level = LEVELS[finding.severity];
    const room = left.get(level) ?? 0;
    left.set(level, room - 1);
    if (room <= 0) return [];
    const view = findingView(finding);
    const { file, line } = certainLocation(finding) ?? { file: anchor, line: 1 };
    const place = file === null ? {} : { file, line: String(line) };
    return [workflowCommand(level, { title: headlineOf(view), ...place }, findingLines(view).join('\n'))];
  });
  const cut = lines.length === active.length ? null : cutText(lines.length, active.length);
  const notices = (safe.notices ?? []).map(({ text }) => text);
  const summary = [conclusion(safe, PLAIN), ...notices, cut].filter((text) => text !== null).join('\n');
  return `${[...lines, workflowCommand(levelOfSummary, { title: `mongolint ${safe.tool.version}` }, summary)].join('\n')}\n`;
}

/** An annotation that says why a target could not be linted. */
export function renderFailedGithub({ message }: FailedTarget): string {
  return `${workflowCommand('error', { title: packageInfo().name }, terminalText(message))}\n`;
}

/** What could not be judged must not go unnoticed, least of all a run that failed. */
function summaryLevel(report: Report): Level {
  if (failuresOf(report).length > 0) return 'error';
  return report.skipped.length > 0 ? 'warning' : 'notice';
}

function cutText(shown: number, all: number): string {
  return `GitHub shows ${ANNOTATIONS_PER_LEVEL} annotations of each level: the worst ${formatCount(shown)} of ${formatCount(all)} findings are annotated. --format markdown and --format html have all of them.`;
}

function workflowCommand(level: Level, properties: Readonly<Record<string, string>>, message: string): string {
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${escapedProperty(value)}`);
  return `::${level} ${pairs.join(',')}::${escapedMessage(message)}`;
}

function escapedMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
