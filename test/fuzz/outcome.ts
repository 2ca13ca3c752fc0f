import { reportSchema } from '../../src/report/report.js';
import type { CapturedRun } from '../support/captured-io.js';

/** What no input may bring about, whatever it is. */
export function problemsOf({ exitCode, stdout, stderr }: CapturedRun, wantsReport: boolean): string[] {
  return [
    ...([0, 1, 2, 3].includes(exitCode) ? [] : [`exit code ${exitCode}`]),
    ...(/a bug in mongolint/.test(stderr) ? ['a bug in mongolint'] : []),
    ...(/^[^ ].*(?:\[object Object\]|\bundefined\b|\bNaN\b)/m.test(stderr)
      ? ['stderr says undefined, NaN or [object Object]']
      : []),
    ...(exitCode === 2 && stdout + stderr === '' ? ['exit 2 without a word'] : []),
    ...(wantsReport ? problemsOfReport(stdout, exitCode) : []),
  ];
}

function problemsOfReport(stdout: string, exitCode: number): string[] {
  if (stdout === '') return exitCode === 2 ? [] : [`exit ${exitCode} without a report`];
  try {
    const report = JSON.parse(stdout) as { readonly skipped: readonly { readonly detail: string }[] };
    const { error } = reportSchema.safeParse(report);
    const details = report.skipped.map(({ detail }) => detail);
    return [
      ...(error === undefined ? [] : [`the report fails its schema at ${error.issues[0]?.path.join('.')}`]),
      ...details.filter((detail) =>
        /failed unexpectedly \((?:(?:Type|Range|Reference|Syntax|Zod|Assertion)?Error)\)|does not match the schema of reports/.test(
          detail,
        ),
      ),
      ...details.filter((detail) => /\bNaN\b|\bundefined\b|\[object/.test(detail)),
    ];
  } catch (error) {
    return [`the report does not parse: ${(error as Error).name}`];
  }
}
