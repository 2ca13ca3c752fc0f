import type { Finding } from '../finding.js';
import { CONFIDENCES, type Confidence } from '../finding/severity.js';
import { markedEach, separated } from '../findings/further-reasons.js';
import { plural } from '../format.js';
import { namespaceFilter } from '../inventory/namespace-glob.js';
import type { ReportNotice } from '../report/report-notice.js';
import { namespacesOf } from '../report/skipped.js';
import { globMatcher } from '../text/glob.js';
import { isBeyondNames, type ChecksInUse, type TargetRun } from './judged.js';

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

/** Matches the findings that a suppression covers, expired or not. */
export function covering(
  suppression: Suppression,
): (finding: Pick<Finding, 'check' | 'namespace' | 'path'>) => boolean {
  const { check, namespace = '**', path } = suppression;
  const ofCheck = globMatcher([check]);
  const ofNamespace = namespaceFilter({ include: [namespace], exclude: [] });
  const ofPath = path === undefined ? undefined : globMatcher([path.replaceAll('[]', '\\[\\]')]);
  return (finding) =>
    ofCheck(finding.check) &&
    ofNamespace(finding.namespace) &&
    (ofPath === undefined || (finding.path !== null && ofPath(finding.path)));
}

/**
 * The findings, marked where a suppression that has not expired covers them; of several, the first one is named. What is left
 * of a finding with several reasons is a finding of its own.
 */
export function suppressed(
  findings: readonly Finding[],
  suppressions: readonly Suppression[],
  today: string,
): Finding[] {
  const active = suppressions
    .filter((suppression) => !hasExpired(suppression, today))
    .map((suppression) => ({ suppression, covers: covering(suppression) }));
  if (active.length === 0) return [...findings];
  const mark = (finding: Finding): Finding => {
    const match = active.find(({ covers }) => covers(finding));
    if (match === undefined) return finding;
    const { by, reason, expires = null, owner } = match.suppression;
    return { ...finding, suppressed: { by, reason, expires, ...(owner !== undefined && { owner }) } };
  };
  return findings.flatMap((finding) => markedEach(finding, mark));
}

/** The least confidence of a finding that counts. */
export interface MinConfidence {
  readonly confidence: Confidence;
  /** Where it is set: "--min-confidence". */
  readonly by: string;
}

/** The findings, marked as suppressed where their confidence is lower than the least that counts. */
export function suppressedByConfidence(
  findings: readonly Finding[],
  { confidence, by }: MinConfidence = { confidence: 'low', by: '' },
): Finding[] {
  const least = CONFIDENCES.indexOf(confidence);
  if (least === CONFIDENCES.length - 1) return [...findings];
  const mark = (finding: Finding): Finding => {
    if (finding.suppressed !== undefined || CONFIDENCES.indexOf(finding.confidence) <= least) return finding;
    const reason = `its confidence is ${finding.confidence}, and the least that counts is ${confidence}`;
    return { ...finding, suppressed: { by, reason, expires: null } };
  };
  return findings.flatMap((finding) => markedEach(finding, mark));
}

/** Suppressions to fix: expired, or matching nothing although everything that they could match was judged. */
export function suppressionNotices(
  suppressions: readonly Suppression[],
  runs: readonly TargetRun[],
  inUse: ChecksInUse,
  today: string,
): ReportNotice[] {
  if (suppressions.length === 0) return [];
  const findings = runs.flatMap(({ report }) => report.findings).flatMap(separated);
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
  const ofCheck = globMatcher([check]);
  if (!checks.some(ofCheck)) return false;
  const ofNamespace = namespaceFilter({ include: [namespace], exclude: [] });
  const looked = report.collections.some((collection) => ofNamespace(collection.namespace));
  if (!looked && isNarrowed) return false;
  return !report.skipped.some(
    (entry) =>
      (entry.check === '*' || ofCheck(entry.check)) && (isBeyondNames(entry) || namespacesOf(entry).some(ofNamespace)),
  );
}

function nameOf({ check, namespace, path, by }: Suppression): string {
  const where = [namespace, path].filter((part) => part !== undefined).join(' ');
  return `The suppression of ${check}${where === '' ? '' : ` on ${where}`} (${by})`;
}
