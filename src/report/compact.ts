import type { Finding } from '../finding.js';
import { worstFirst } from '../findings/finding-order.js';
import { terminalText } from '../text/terminal-text.js';
import { conclusion } from './conclusion.js';
import { isActive } from './finding-status.js';
import { findingView, ownerText, placeOf } from './finding-view.js';
import type { FleetOverview } from './fleet/fleet-overview.js';
import { fleetSentences } from './fleet/fleet-sections.js';
import { PLAIN } from './paint.js';
import { printableReport } from './printable-report.js';
import type { Report } from './report.js';
import type { FleetReports } from './target-reports.js';

/**
 * One line for each finding that counts, the worst last, so that a terminal ends with it. The conclusion follows, with what
 * is suppressed, known or not judged. Without colors, columns or cuts: for `grep` and `awk`.
 */
export function renderCompact(report: Report): string {
  const safe = printableReport(report);
  const target = safe.target === undefined ? '' : `${safe.target}: `;
  const lines = worstFirst(safe.findings.filter(isActive)).toReversed().map(lineOf);
  const notices = (safe.notices ?? []).map(({ text }) => text);
  return [...lines, conclusion(safe, PLAIN), ...notices].map((line) => `${target}${line}\n`).join('');
}

function lineOf(finding: Finding): string {
  const { head, message, places } = findingView(finding);
  const { severity, check, confidence, place } = head;
  const asides = [check, `${confidence} confidence`, ownerText(head), ...places].filter((text) => text !== null);
  return `${severity}: ${placeOf({ ...place, pathIs: undefined })}: ${message} (${asides.join(', ')})`;
}

/** The lines of every report one after the other, why some have none, and how the fleet fares. */
export async function* compactPieces(overview: FleetOverview, reports: FleetReports): AsyncIterable<string> {
  for await (const { report, failed } of reports()) {
    yield report === null ? `${terminalText(failed?.message ?? '')}\n` : renderCompact(report);
  }
  for (const sentence of [...overview.missing.map(terminalText), ...fleetSentences(overview)]) yield `${sentence}\n`;
}
