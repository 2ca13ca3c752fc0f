import { createHash } from 'node:crypto';
import type { AnyCheck, Problem } from '../check.js';
import type { Finding, Remedy, RemedyCommand, ReportedRemedy } from '../finding.js';
import { picked } from '../plain.js';
import type { ResolvedSettings } from './check-settings.js';

/** 64 bits: among a million findings, two collide with a chance of 1 in 37 million. */
const FINGERPRINT_DIGITS = 16;

const SHARED = ['proposes', 'proposesInPart', 'causedBy', 'adviceForAll', 'operations', 'saves'] as const;

/**
 * A finding with what it may share with others: the indexes that its remedy proposes, the array that causes it, advice for
 * all of its check, or the operations that it is about.
 */
export type StampedFinding = Finding &
  Pick<Problem, (typeof SHARED)[number]> & {
    /** True if the configuration sets the severity of the check. */
    readonly isSeveritySet?: true;
    /** Checks whose findings may cause it. */
    readonly explainedBy?: readonly string[];
  };

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
    ...(set !== undefined && { isSeveritySet: true }),
    ...(set === undefined && severityIfSure !== undefined && { severityIfSure }),
    confidence: problem.confidence,
    namespace,
    path: problem.path,
    ...picked(problem, ['pathIs']),
    title: check.title,
    message: problem.message,
    evidence: problem.evidence,
    ...(problem.locations !== undefined && { locations: [...problem.locations] }),
    ...(problem.restsOn !== undefined && { restsOn: [...problem.restsOn] }),
    ...picked(problem, ['lookFor']),
    remedy: reportedRemedy(problem.remedy),
    ...picked(problem, ['judgedAt']),
    docs: check.docs ?? `checks/${check.id}.md`,
    ...picked(check, ['group']),
    fingerprint: fingerprint(check.id, namespace, problem.path),
    ...picked(problem, SHARED),
    ...picked(check, ['explainedBy']),
  };
}

function assertFinite(figures: unknown): void {
  if (typeof figures === 'number' && !Number.isFinite(figures))
    throw new TypeError(`A figure of the evidence is ${figures}.`);
  if (typeof figures === 'object' && figures !== null) Object.values(figures).forEach(assertFinite);
}

/** The identity of a finding between runs: never of a measured value. As JSON, no two different triples are written alike. */
export function fingerprint(check: string, namespace: string, path: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([check, namespace, path]))
    .digest('hex')
    .slice(0, FINGERPRINT_DIGITS);
}

/** A remedy with the texts and commands of its steps joined, for readers of the report that do not know steps. */
export function reportedRemedy({ steps }: Remedy): ReportedRemedy {
  const commands = steps.flatMap(({ command }): RemedyCommand[] => (command === undefined ? [] : [command]));
  return {
    steps: [...steps],
    text: steps
      .flatMap(({ text, code }) => (text === '' ? [] : [code === undefined ? text : `${text} ${code}`]))
      .join(' '),
    ...(commands.length > 0 && { commands }),
  };
}
