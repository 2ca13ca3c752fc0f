import type { Finding, Severity } from '../../src/finding.js';
import type { Outcome } from '../applications/outcome.js';
import type { BadDesign, Design } from './design.js';

const RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

/** The findings about the database of a design. */
export function findingsOf({ name }: Design, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ namespace }) => namespace === name || namespace.startsWith(`${name}.`));
}

/** Whether the fault of a design is in a collection; null stands for the database. */
export function isThere({ expected: { collection } }: BadDesign, name: string | null): boolean {
  if (typeof collection === 'string') return name === collection;
  return name === null || name === '*' || collection.test(name);
}

/** How the findings about a design report its fault. Its label is the least severity: none is too high. */
export function outcomeOf(design: BadDesign, findings: readonly Finding[]): Outcome {
  const { checks, path, severity } = design.expected;
  const ranks = findingsOf(design, findings)
    .filter(({ check, namespace, path: at }) => {
      const isAtPath = path === undefined || at === path || at?.startsWith(`${path}.`) === true || at === null;
      return checks.includes(check) && isThere(design, namespace.slice(design.name.length + 1) || null) && isAtPath;
    })
    .map((finding) => RANK[finding.severity]);
  if (ranks.length === 0) return 'missed';
  return Math.max(...ranks) < RANK[severity] ? 'lower' : 'at its severity';
}
