import type { Report } from '../report.js';
import { REPORT_SCHEMA_VERSION } from '../schema-version.js';
import { checkedTarget, type FleetReports } from '../target-reports.js';
import { terminalJson, terminalText } from '../../terminal-text.js';
import { fleetSentences } from './fleet-conclusion.js';
import { fleetOverviewSchema, type FleetOverview } from './fleet-overview.js';

/** The text of every report one after the other, why some have none, and how the fleet fares. */
export async function* linePieces(
  overview: FleetOverview,
  reports: FleetReports,
  render: (report: Report) => string,
): AsyncIterable<string> {
  for await (const { report, failed } of reports()) {
    yield report === null ? `${terminalText(failed?.message ?? '')}\n` : render(report);
  }
  for (const sentence of [...overview.missing.map(terminalText), ...fleetSentences(overview)]) yield `${sentence}\n`;
}

const INDENT = '    ';

/** The document of several targets as `JSON.stringify` writes it, with an indentation of two. */
export async function* documentPieces(overview: FleetOverview, reports: FleetReports): AsyncIterable<string> {
  const shown = JSON.stringify(fleetOverviewSchema.parse(overview), null, 2).replaceAll('\n', '\n  ');
  yield terminalJson(`{\n  "schemaVersion": ${REPORT_SCHEMA_VERSION},\n  "overview": ${shown},\n  "targets": [`);
  let isFirst = true;
  for await (const target of reports()) {
    const text = JSON.stringify(checkedTarget(target), null, 2).replaceAll('\n', `\n${INDENT}`);
    yield `${isFirst ? '' : ','}\n${INDENT}${terminalJson(text)}`;
    isFirst = false;
  }
  yield isFirst ? ']\n}\n' : '\n  ]\n}\n';
}
