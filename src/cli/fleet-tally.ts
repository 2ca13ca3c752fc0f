import type { Finding, Severity } from '../finding.js';
import { isWorse } from '../finding/severity.js';
import { worstFirst } from '../findings/finding-order.js';
import { separated } from '../findings/further-reasons.js';
import { exitCode, type ExitCode, type ExitPolicy, worstExitCode } from '../policy/exit-code.js';
import { clusterTexts } from '../report/coverage.js';
import type { FleetCluster, FleetOverview } from '../report/fleet/fleet-overview.js';
import type { Report } from '../report/report.js';
import { failureSentences, failuresOf } from '../report/run-failure.js';
import type { TargetReport } from '../report/target-reports.js';
import { compareTexts } from '../text/compare-texts.js';

/** Places that are compared between targets; some 30 MB. */
const MOST_PLACES = 100_000;

interface Counted {
  targets: number;
  findings: number;
  severity: Severity;
}

/** What a run on this target alone exits with. */
function exitCodeOf({ report, failed }: TargetReport, policy: ExitPolicy): ExitCode {
  if (report === null) return exitCode({ findings: [], skipped: [], faults: [failed?.message ?? ''] }, policy);
  const { findings, skipped } = report;
  return exitCode({ findings, skipped, failures: failuresOf(report) }, policy);
}

/** Counts over many targets, of which only a summary each is held. */
export class FleetTally {
  readonly #codes: ExitCode[] = [];
  readonly #warnings: Pick<Finding, 'severity'>[] = [];
  readonly #clusters: FleetCluster[] = [];
  readonly #checks = new Map<string, Counted & { readonly title: string }>();
  readonly #places = new Map<string, Counted & Pick<Finding, 'check' | 'namespace' | 'path'>>();
  readonly #owners = new Map<string | null, Counted>();
  #isPartial = false;

  constructor(private readonly policy: ExitPolicy) {}

  add(target: TargetReport): void {
    const { alias, report, failed } = target;
    const code = exitCodeOf(target, this.policy);
    this.#codes.push(code);
    if (report === null) this.#clusters.push(withoutReport(alias, failed?.message ?? 'Not linted.', code));
    else this.#addReport(alias, report, code);
  }

  /** What one run on all targets exits with. @param faults what went wrong around them */
  exitCode(faults: readonly string[]): ExitCode {
    const together = { findings: this.#warnings, skipped: [], faults };
    return worstExitCode([...this.#codes, exitCode(together, { ...this.policy, failOn: 'never' })]);
  }

  /** @param missing what has no report, a sentence each */
  overview(missing: readonly string[]): FleetOverview {
    const alike = [...this.#places.values()].filter(({ targets }) => targets > 1).sort(byTargets);
    return {
      clusters: this.#clusters.toSorted(worstClusterFirst),
      checks: [...this.#checks].map(([check, { title, ...counted }]) => ({ check, title, ...counted })).sort(byTargets),
      alike: alike.map(({ findings: _findings, ...place }) => place),
      ...(this.#isPartial && { alikeIsPartial: true as const }),
      ...(this.#owners.size > 0 && { owners: this.#ownersByFindings() }),
      missing: [...missing],
    };
  }

  #addReport(alias: string, report: Report, code: ExitCode): void {
    const active = worstFirst(report.findings.filter(({ suppressed }) => suppressed === undefined));
    const [worst] = active;
    this.#clusters.push({
      alias,
      exitCode: code,
      server: clusterTexts(report.cluster)[0] ?? null,
      collections: report.collections.length,
      findings: report.summary.findings,
      suppressed: report.summary.suppressed,
      notJudged: report.skipped.length,
      failure: failureSentences(report)[0] ?? null,
      worst: worst === undefined ? null : placeAndMessage(worst),
    });
    const counting = active.filter(({ severity, baseline }) => severity === 'warning' && baseline?.status !== 'known');
    this.#warnings.push(...counting.map(({ severity }) => ({ severity })));
    const each = active.flatMap(separated);
    count(this.#checks, each, ({ check, title }) => [check, { title }]);
    this.#isPartial ||= this.#places.size + each.length > MOST_PLACES;
    const compared = this.#isPartial ? each.filter(({ fingerprint }) => this.#places.has(fingerprint)) : each;
    count(this.#places, compared, ({ fingerprint, check, namespace, path }) => [
      fingerprint,
      { check, namespace, path },
    ]);
    const owned = active.filter(({ owner }) => owner !== undefined);
    count(this.#owners, owned, ({ owner = null }) => [owner, {}]);
  }

  #ownersByFindings(): NonNullable<FleetOverview['owners']> {
    return [...this.#owners]
      .map(([owner, { targets, findings }]) => ({ owner, targets, findings }))
      .sort((one, other) => other.findings - one.findings || compareTexts(one.owner ?? '', other.owner ?? ''));
  }
}

function count<Key, More extends object>(
  into: Map<Key, Counted & More>,
  findings: readonly Finding[],
  keyed: (finding: Finding) => readonly [Key, More],
): void {
  const seen = new Set<Key>();
  for (const finding of findings) {
    const [key, more] = keyed(finding);
    const { severity } = finding;
    const counted = into.get(key) ?? { targets: 0, findings: 0, severity, ...more };
    if (!seen.has(key)) counted.targets += 1;
    counted.findings += 1;
    if (isWorse(severity, counted.severity)) counted.severity = severity;
    seen.add(key);
    into.set(key, counted);
  }
}

function withoutReport(alias: string, failure: string, code: ExitCode): FleetCluster {
  const findings = { error: 0, warning: 0, info: 0 };
  const nothing = { server: null, collections: 0, findings, suppressed: 0, notJudged: 0, worst: null };
  return { alias, exitCode: code, ...nothing, failure };
}

function placeAndMessage({ check, severity, namespace, path, message }: Finding): NonNullable<FleetCluster['worst']> {
  return { check, severity, namespace, path, message };
}

/** What is not known comes before what is known to be bad. */
function worstClusterFirst(one: FleetCluster, other: FleetCluster): number {
  return (
    Number(one.server !== null) - Number(other.server !== null) ||
    other.findings.error - one.findings.error ||
    other.findings.warning - one.findings.warning ||
    other.findings.info - one.findings.info ||
    Number(one.failure === null) - Number(other.failure === null) ||
    compareTexts(one.alias, other.alias)
  );
}

function byTargets(one: Counted & { readonly check: string }, other: Counted & { readonly check: string }): number {
  return other.targets - one.targets || other.findings - one.findings || compareTexts(one.check, other.check);
}
