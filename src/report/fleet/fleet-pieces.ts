import { formatCount, plural } from '../../format.js';
import { SEVERITIES } from '../../severity.js';
import { terminalJson, terminalText } from '../../terminal-text.js';
import { REPORT_SCHEMA_VERSION } from '../published-schema.js';
import type { Report } from '../report.js';
import { writtenTarget, type FleetReports } from '../target-reports.js';
import { type FleetCluster, type FleetOverview, fleetOverviewSchema } from './fleet-overview.js';

const GROUP_TEXT: Readonly<Record<FleetGroup['id'], string>> = {
  'not-linted': 'not linted',
  error: 'with errors',
  warning: 'with warnings',
  info: 'with info only',
  incomplete: 'not linted to the end, nothing found so far',
  fine: 'without findings',
};

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
    const text = JSON.stringify(writtenTarget(target), null, 2).replaceAll('\n', `\n${INDENT}`);
    yield `${isFirst ? '' : ','}\n${INDENT}${terminalJson(text)}`;
    isFirst = false;
  }
  yield isFirst ? ']\n}\n' : '\n  ]\n}\n';
}

/** What the clusters of a fleet are, and how many. Each cluster is in one group alone. */
export interface FleetGroup {
  readonly id: 'not-linted' | 'error' | 'warning' | 'info' | 'incomplete' | 'fine';
  readonly clusters: readonly FleetCluster[];
}

export function fleetGroups({ clusters }: FleetOverview): FleetGroup[] {
  const ids = Object.keys(GROUP_TEXT) as FleetGroup['id'][];
  return ids.map((id) => ({ id, clusters: clusters.filter((cluster) => groupOf(cluster) === id) }));
}

export function groupText({ id, clusters }: FleetGroup): string {
  return `${formatCount(clusters.length)} ${GROUP_TEXT[id]}`;
}

function groupOf({ server, findings, failure }: FleetCluster): FleetGroup['id'] {
  if (server === null) return 'not-linted';
  return SEVERITIES.find((severity) => findings[severity] > 0) ?? (failure === null ? 'fine' : 'incomplete');
}

/** How the fleet fares, then what is not known of it. */
export function fleetSentences(overview: FleetOverview): string[] {
  const groups = fleetGroups(overview).filter(({ clusters }) => clusters.length > 0);
  const cut = overview.clusters.filter(({ server, failure }) => server !== null && failure !== null).length;
  const { length } = overview.missing;
  return [
    `${plural(overview.clusters.length, 'cluster')}: ${groups.map(groupText).join(', ') || 'none'}.`,
    ...(cut === 0 ? [] : [`${plural(cut, 'cluster was', 'clusters were')} not linted to the end.`]),
    ...(length === 0 ? [] : [`This is not the whole fleet: ${plural(length, 'report is', 'reports are')} missing.`]),
  ];
}
