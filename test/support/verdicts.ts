import type { Severity } from '../../src/finding.js';
import { SEVERITIES } from '../../src/finding/severity.js';
import { lint } from '../../src/lint/lint.js';
import { exitCode } from '../../src/policy/exit-code.js';

/** What a run says that people and jobs act on, as lines that can be compared. */
export interface Verdicts {
  readonly findings: readonly string[];
  readonly exitCode: number;
}

/**
 * Lints a database so many times, one run after the other.
 *
 * @param least findings below this severity are left out, and the exit code counts from it
 */
export async function verdictsOfRuns(
  uri: string,
  database: string,
  runs: number,
  least: Severity = 'info',
): Promise<Verdicts[]> {
  const verdicts: Verdicts[] = [];
  for (let run = 0; run < runs; run += 1) {
    const { findings, skipped } = await lint({ uri, include: [`${database}.*`] });
    const counting = findings.filter(({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least));
    verdicts.push({
      findings: counting
        .map(({ check, namespace, path, severity, confidence }) =>
          [check, namespace, path ?? '', severity, least === 'info' ? confidence : ''].join(' '),
        )
        .sort(),
      exitCode: exitCode({ findings, skipped }, { failOn: least, maxWarnings: null, strict: false }),
    });
  }
  return verdicts;
}

/** What one run says, and the first does not, or the other way round. */
export function different(verdicts: readonly Verdicts[]): string[] {
  const lines = verdicts.map((run) => [...run.findings, `exit code ${run.exitCode}`]);
  const [first = []] = lines;
  return lines.flatMap((run, number) => [
    ...run.filter((line) => !first.includes(line)).map((line) => `run ${number} only: ${line}`),
    ...first.filter((line) => !run.includes(line)).map((line) => `not in run ${number}: ${line}`),
  ]);
}
