import { join } from 'node:path';
import type { SeededRandom } from '../../src/demo/seeded-random.js';
import { reportSchema } from '../../src/report/report.js';
import { runCaptured, type CapturedRun } from '../support/captured-io.js';
import type { FuzzedShop } from './shop.js';

export interface Tried {
  readonly problems: readonly string[];
  readonly stderr: string;
}

export const LIMITS = ['--max-time', '20000', '--timeout', '4000', '--verbose', '--no-progress'];
const FORMATS = ['text', 'compact', 'html', 'markdown', 'sarif', 'junit', 'prometheus', 'github', 'gitlab'];

/** Runs the command line with two reports, of which one has a format by chance. */
export async function linted(shop: FuzzedShop, random: SeededRandom, argv: readonly string[]): Promise<Tried> {
  const format = random.choose(FORMATS);
  const formats = ['--format', 'json', '--format', `${format}=${join(shop.folder, `report.${format}`)}`];
  const run = await runCaptured([...argv, ...formats, '--verbose'], {}, shop.folder);
  return { problems: problemsOf(run, true), stderr: run.stderr };
}

/** What no input may bring about, whatever it is. */
export function problemsOf({ exitCode, stdout, stderr }: CapturedRun, wantsReport: boolean): string[] {
  return [
    ...([0, 1, 2, 3].includes(exitCode) ? [] : [`exit code ${exitCode}`]),
    ...(/a bug in mongolint/.test(stderr) ? ['a bug in mongolint'] : []),
    // Among the types of BSON is one that is called "undefined".
    ...(/^[^ ].*(?:\[object Object\]|(?<!")\bundefined\b|\bNaN\b)/m.test(stderr)
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
