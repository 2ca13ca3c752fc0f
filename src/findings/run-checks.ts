import { isClusterCheck, type AnyCheck, type AnyCollectionCheck, type Problem, type Verdict } from '../check.js';
import type { DocumentEvidence } from '../profile/document-profile.js';
import type { CollectedEvidence } from '../evidence/source.js';
import type { Absent } from '../presence.js';
import type { ClusterEvidenceName } from '../evidence/cluster-evidence.js';
import type { EvidenceName } from '../evidence/evidence.js';
import type { Collection } from '../inventory/collection.js';
import type { Excused, Skipped } from '../finding.js';
import { isWorse, type Severity } from '../severity.js';
import type { ResolvedSettings, RunSettings } from './check-settings.js';
import { stamped, type StampedFinding } from './stamp.js';

export interface Judgement {
  readonly findings: readonly StampedFinding[];
  readonly skipped: readonly Skipped[];
  /** Ids of the checks that judged it. */
  readonly judgedBy: readonly string[];
  /** What is over a line, and excused by what the data show. */
  readonly letPass?: readonly Excused[];
}

/** Hears of what failed and must not end the run: `failed` is the id of a check, or "evidence". */
export type FaultListener = (failed: string, namespace: string, error: unknown) => void;

/** Runs each check that applies to the collection and is not off there. Evidence that is absent becomes an entry in `skipped`. */
export function judgeCollection(
  checks: readonly AnyCheck[],
  collection: Collection,
  evidence: CollectedEvidence,
  settings: RunSettings,
  onFault: FaultListener,
): Judgement {
  const findings: StampedFinding[] = [];
  const skipped: Skipped[] = [];
  const judgedBy: string[] = [];
  const letPass: Excused[] = [];
  const { namespace } = collection;
  for (const check of applicableChecks(checks, collection)) {
    const set = settings.of(check, namespace);
    if (set.off) continue;
    const missing = missingEvidence(check, evidence);
    if (missing !== undefined) {
      skipped.push({ check: check.id, namespace, ...missingEntry(missing) });
      continue;
    }
    if (check.needs.includes('documents') && hasNoDocuments(evidence)) continue;
    try {
      const subject = { collection, ...presentEvidence(check, evidence) };
      const verdicts = check.judge(subject, set.thresholds);
      const ifSure = severitiesIfSure(check, subject, set.thresholds, verdicts);
      for (const verdict of verdicts) {
        if ('notJudged' in verdict)
          skipped.push({ check: check.id, namespace, reason: verdict.notJudged, detail: verdict.detail });
        else if ('letPass' in verdict)
          letPass.push({ check: check.id, namespace, path: verdict.path, detail: verdict.letPass });
        else findings.push(stamped(check, namespace, withSeverityIfSure(verdict, ifSure), set));
      }
      if (hasJudged(verdicts)) judgedBy.push(check.id);
    } catch (error) {
      onFault(check.id, namespace, error);
      const name = error instanceof Error ? error.name : typeof error;
      skipped.push({
        check: check.id,
        namespace,
        reason: 'fault',
        detail: `the check failed (${name}); see --verbose.`,
      });
    }
  }
  return { findings, skipped, judgedBy, ...(letPass.length > 0 && { letPass }) };
}

/** By path: the severities of the same figures, were the sample the whole collection. Empty if it is, or nothing was found. */
function severitiesIfSure(
  check: AnyCollectionCheck,
  subject: Parameters<AnyCollectionCheck['judge']>[0],
  thresholds: ResolvedSettings['thresholds'],
  verdicts: readonly Verdict[],
): ReadonlyMap<string | null, Severity> {
  const { documents } = subject as { readonly documents?: DocumentEvidence };
  if (documents === undefined || documents.sample.complete || !verdicts.some((verdict) => 'severity' in verdict))
    return new Map();
  const whole = { ...subject, documents: { ...documents, sample: { ...documents.sample, complete: true } } };
  const judged = check.judge(whole, thresholds);
  return new Map(judged.flatMap((verdict) => ('severity' in verdict ? [[verdict.path, verdict.severity]] : [])));
}

function withSeverityIfSure(problem: Problem, ifSure: ReadonlyMap<string | null, Severity>): Problem {
  const severityIfSure = ifSure.get(problem.path);
  return severityIfSure === undefined || !isWorse(severityIfSure, problem.severity)
    ? problem
    : { ...problem, severityIfSure };
}

export function hasJudged(verdicts: readonly object[]): boolean {
  return !verdicts.some((verdict) => 'nothingJudged' in verdict && verdict.nothingJudged === true);
}

export function applicableChecks(checks: readonly AnyCheck[], collection: Collection): readonly AnyCollectionCheck[] {
  return checks.filter(
    (check): check is AnyCollectionCheck =>
      !isClusterCheck(check) &&
      check.appliesTo.includes(collection.kind) &&
      (check.appliesWhere !== 'sharded' || collection.sharding !== undefined),
  );
}

/** Evidence that a check needs and that is absent. */
export interface MissingEvidence {
  readonly name: EvidenceName | ClusterEvidenceName;
  readonly absent: Absent;
}

/** What an entry says of missing evidence. */
export function missingEntry({ name, absent }: MissingEvidence): Omit<Skipped, 'check'> {
  const { reason, detail, code } = absent;
  return { reason, evidence: name, ...(code !== undefined && { code }), detail };
}

function missingEvidence(check: AnyCollectionCheck, evidence: CollectedEvidence): MissingEvidence | undefined {
  for (const name of check.needs as readonly EvidenceName[]) {
    const piece = evidence[name];
    if (piece === undefined) throw new Error(`The evidence "${name}" that ${check.id} needs was not collected.`);
    if (!piece.present) return { name, absent: piece };
  }
  return undefined;
}

function presentEvidence(check: AnyCollectionCheck, evidence: CollectedEvidence): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const names of [check.needs, check.uses ?? []] as readonly (readonly EvidenceName[])[]) {
    for (const name of names) {
      const piece = evidence[name];
      if (piece?.present === true) values[name] = piece.value;
    }
  }
  return values;
}

function hasNoDocuments({ documents }: CollectedEvidence): boolean {
  return documents?.present === true && documents.value.profile.documents === 0;
}
