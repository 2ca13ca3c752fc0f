import { FleetTally } from '../../../src/cli/fleet-tally.js';
import type { Finding, Severity } from '../../../src/finding.js';
import type { ExitPolicy } from '../../../src/policy/exit-code.js';
import type { FleetOverview } from '../../../src/report/fleet/fleet-overview.js';
import type { Report } from '../../../src/report/report.js';
import { policyFinding, policyRun } from '../policy-finding.js';

const CHECKS = ['missing-lookup-index', 'unbounded-array', 'redundant-index', 'mixed-types', 'unused-index'];
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** A cluster of a fleet: the further back, the fewer findings. Every fifth has an owner for each. */
export function fleetReport(index: number, count: number): Report {
  const namespaces = Array.from({ length: 20 }, (_, number) => `shop.collection_${number}`);
  const findings = Array.from({ length: Math.max(0, 12 - Math.floor((12 * index) / count)) }, (_, number): Finding =>
    policyFinding({
      check: CHECKS[number % CHECKS.length] ?? '',
      severity: SEVERITIES[(number + index) % SEVERITIES.length] ?? 'info',
      namespace: namespaces[number] ?? '',
      path: `items.${index % 7}`,
      owner: number % 3 === 0 ? null : `team-${number % 3}`,
    }),
  );
  return { ...policyRun(namespaces, { findings }).report, target: aliasOf(index) };
}

function aliasOf(index: number): string {
  return `cluster-${String(index).padStart(3, '0')}`;
}

/** What fails a run of the fleet. */
export const EXIT_POLICY: ExitPolicy = { failOn: 'error', maxWarnings: null, strict: false };

/** The overview of so many clusters, of which one is down, and of a part that is missing. */
export function fleetOverview(count: number): FleetOverview {
  const tally = new FleetTally(EXIT_POLICY);
  for (let index = 0; index < count; index += 1) {
    const alias = aliasOf(index);
    const message = `${alias}: No usable server at db${index}.example.com:27017 within 15,000 ms: the connection was refused.`;
    if (index === 3) tally.add({ alias, report: null, failed: { target: alias, message, at: new Date(0) } });
    else tally.add({ alias, report: fleetReport(index, count) });
  }
  return tally.overview(['The report of part 3 of 8 is missing: its run wrote none.']);
}
