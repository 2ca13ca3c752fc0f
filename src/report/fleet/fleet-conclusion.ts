import { formatCount, plural } from '../../format.js';
import { SEVERITIES } from '../../severity.js';
import type { FleetCluster, FleetOverview } from './fleet-overview.js';

/** What the clusters of a fleet are, and how many. Each cluster is in one group alone. */
export interface FleetGroup {
  readonly id: 'not-linted' | 'error' | 'warning' | 'info' | 'incomplete' | 'fine';
  readonly clusters: readonly FleetCluster[];
}

const GROUP_TEXT: Readonly<Record<FleetGroup['id'], string>> = {
  'not-linted': 'not linted',
  error: 'with errors',
  warning: 'with warnings',
  info: 'with info only',
  incomplete: 'not linted to the end, nothing found so far',
  fine: 'without findings',
};

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
