import type { AnyCheck, Problem } from '../check.js';
import type { ResolvedSettings } from './check-settings.js';
import type { Finding } from '../finding.js';
import { reportedRemedy } from './reported-remedy.js';
import { fingerprint } from './fingerprint.js';

/**
 * A finding with what it may share with others: the indexes that its remedy proposes, the array that causes it, or the
 * operations that it is about.
 */
export type StampedFinding = Finding & Pick<Problem, 'proposes' | 'causedBy' | 'operations'>;

/**
 * Turns a problem into a finding, with the severity that is set for the check, or else the problem's own.
 *
 * @throws TypeError if a figure is not a finite number, which JSON cannot hold
 */
export function stamped(
  check: AnyCheck,
  namespace: string,
  problem: Problem,
  { severity: set }: Pick<ResolvedSettings, 'severity'>,
): StampedFinding {
  assertFinite(problem.evidence);
  const { severity, severityIfSure } = problem;
  return {
    check: check.id,
    severity: set ?? severity,
    ...(set === undefined && severityIfSure !== undefined && { severityIfSure }),
    confidence: problem.confidence,
    namespace,
    path: problem.path,
    ...(problem.pathIs !== undefined && { pathIs: problem.pathIs }),
    title: check.title,
    message: problem.message,
    evidence: problem.evidence,
    ...(problem.lookFor !== undefined && { lookFor: problem.lookFor }),
    remedy: reportedRemedy(problem.remedy),
    ...(problem.judgedAt !== undefined && { judgedAt: problem.judgedAt }),
    docs: check.docs ?? `checks/${check.id}.md`,
    fingerprint: fingerprint(check.id, namespace, problem.path),
    ...(problem.proposes !== undefined && { proposes: problem.proposes }),
    ...(problem.causedBy !== undefined && { causedBy: problem.causedBy }),
    ...(problem.operations !== undefined && { operations: problem.operations }),
  };
}

function assertFinite(figures: unknown): void {
  if (typeof figures === 'number' && !Number.isFinite(figures))
    throw new TypeError(`A figure of the evidence is ${figures}.`);
  if (typeof figures === 'object' && figures !== null) Object.values(figures).forEach(assertFinite);
}
