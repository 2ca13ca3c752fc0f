import picomatch from 'picomatch';
import type { Finding } from '../finding.js';
import { plural } from '../format.js';
import { namespaceFilter } from '../inventory/namespace-filter.js';
import { isCut, namespacesOf } from '../report/grouped-skipped.js';
import type { ReportNotice } from '../report/report.js';
import type { ChecksInUse, TargetRun } from './judged.js';

/** An agreement not to count some findings. */
export interface Suppression {
  /** Id of a check, or a glob over ids. */
  readonly check: string;
  /** Glob over `database.collection`; every namespace if absent. */
  readonly namespace?: string;
  /** Glob over the finding's path, in which `[]` stands for itself; if absent, every path and findings without one. */
  readonly path?: string;
  readonly reason: string;
  /** Last day on which it holds, in UTC, as YYYY-MM-DD. */
  readonly expires?: string;
  readonly owner?: string;
  /** Where it is written down: "mongolint.config.yaml:12". */
  readonly by: string;
}

// Ids and paths are not file paths: "/" and a leading "." are ordinary characters in them.
const GLOB_OPTIONS = { dot: true, bash: true } as const;

/** Matches ids of checks. */
export function checkMatcher(check: string): (id: string) => boolean {
  const matches = picomatch(check, GLOB_OPTIONS);
  return (id) => matches(id);
}

/** Matches the findings that a suppression covers, expired or not. */
export function covering(
  suppression: Suppression,
): (finding: Pick<Finding, 'check' | 'namespace' | 'path'>) => boolean {
  const { check, namespace = '**', path } = suppression;
  const ofCheck = checkMatcher(check);
  const ofNamespace = namespaceFilter({ include: [namespace], exclude: [] });
  const ofPath = path === undefined ? undefined : picomatch(path.replaceAll('[]', '\\[\\]'), GLOB_OPTIONS);
  return (finding) =>
    ofCheck(finding.check) &&
    ofNamespace(finding.namespace) &&
    (ofPath === undefined || (finding.path !== null && ofPath(finding.path)));
}

/** The findings, marked where a suppression that has not expired covers them; of several, the first one is named. */
export function suppressed(
  findings: readonly Finding[],
  suppressions: readonly Suppression[],
  today: string,
): Finding[] {
  const active = suppressions
    .filter((suppression) => !hasExpired(suppression, today))
    .map((suppression) => ({ suppression, covers: covering(suppression) }));
  return findings.map((finding) => {
    const match = active.find(({ covers }) => covers(finding));
    if (match === undefined) return finding;
    const { by, reason, expires = null, owner } = match.suppression;
    return { ...finding, suppressed: { by, reason, expires, ...(owner !== undefined && { owner }) } };
  });
}

/** Suppressions to fix: expired, or matching nothing although everything that they could match was judged. */
export function suppressionNotices(
  suppressions: readonly Suppression[],
  runs: readonly TargetRun[],
  inUse: ChecksInUse,
  today: string,
): ReportNotice[] {
  const findings = runs.flatMap(({ report }) => report.findings);
  return suppressions.flatMap((suppression): ReportNotice[] => {
    const matching = findings.filter(covering(suppression)).length;
    if (hasExpired(suppression, today)) {
      const now =
        matching === 0
          ? 'It matches nothing: remove it'
          : `${plural(matching, 'finding counts', 'findings count')} again`;
      const owner = suppression.owner === undefined ? '' : ` (owner: ${suppression.owner})`;
      return [
        {
          kind: 'suppression-expired',
          text: `${nameOf(suppression)} expired on ${suppression.expires}${owner}. ${now}.`,
        },
      ];
    }
    if (matching > 0 || !runs.every((run) => isJudged(suppression, run, inUse))) return [];
    return [
      { kind: 'suppression-unused', text: `${nameOf(suppression)} matches no finding: remove it, or correct it.` },
    ];
  });
}

function hasExpired({ expires }: Suppression, today: string): boolean {
  return expires !== undefined && expires < today;
}

/** False if the run left out something that the suppression may be meant for. */
function isJudged(
  { check, namespace = '**' }: Suppression,
  { report, isNarrowed }: TargetRun,
  { checks }: ChecksInUse,
): boolean {
  const ofCheck = checkMatcher(check);
  if (!checks.some(ofCheck)) return false;
  const ofNamespace = namespaceFilter({ include: [namespace], exclude: [] });
  const looked = report.collections.some((collection) => ofNamespace(collection.namespace));
  if (!looked && isNarrowed) return false;
  return !report.skipped.some(
    (entry) =>
      (entry.check === '*' || ofCheck(entry.check)) &&
      // Without a name, or with "database.*", it may hold for any collection.
      (namespacesOf(entry).length === 0 ||
        isCut(entry) ||
        namespacesOf(entry).some((name) => name.endsWith('.*') || ofNamespace(name))),
  );
}

function nameOf({ check, namespace, path, by }: Suppression): string {
  const where = [namespace, path].filter((part) => part !== undefined).join(' ');
  return `The suppression of ${check}${where === '' ? '' : ` on ${where}`} (${by})`;
}
