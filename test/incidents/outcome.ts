import type { Finding } from '../../src/finding.js';
import type { Incident } from './incident.js';

const LEVELS = ['info', 'warning', 'error'] as const;

type Fault = Incident['faults'][number];

function about(name: string, { collection, about: text }: Fault, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    ({ namespace, ...finding }) =>
      namespace.slice(name.length + 1) === collection && JSON.stringify(finding).includes(text),
  );
}

/**
 * The most severe level of the findings that report a fault; `missed` if none does.
 *
 * @param name of the incident, and of its database
 */
export function outcomeOf(
  name: string,
  fault: Fault,
  findings: readonly Finding[],
): (typeof LEVELS)[number] | 'missed' {
  const levels = about(name, fault, findings).map(({ severity }) => LEVELS.indexOf(severity));
  return levels.length === 0 ? 'missed' : LEVELS[Math.max(...levels)]!;
}
