import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DemoResult, runDemo } from '../demo/demo.js';
import { fileFault } from '../files/file-fault.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { renderHtml } from '../report/html/html-report.js';
import type { Report } from '../report/report.js';
import { renderTable } from '../report/table.js';
import { wrapped } from '../report/text-layout.js';
import { columnsOf, hasColor, type Io } from './io.js';
import { keepLastReport } from './last-report.js';
import { startProgress } from './progress.js';
import { withShownErrors } from './shown-errors.js';

const NEXT = `What to do next:
  mongolint role                      a read-only role for your cluster
  MONGODB_URI='mongodb://…' mongolint lint it
  mongolint explain FINGERPRINT       a finding above in full
  mongolint demo --verbose            every finding in full
`;

/**
 * Lints a small shop that has the common anti-patterns, and writes its page. It fails if a check misses its anti-pattern, or
 * reports what is designed well.
 */
export function demoCommand(verbose: boolean, io: Io): Promise<ExitCode> {
  return withShownErrors('', { verbose }, io, async () => {
    const progress = await startProgress(io.stderr, true, 'starting MongoDB');
    const say = (message: string) =>
      io.stderr.isTTY === true ? progress.show(message) : io.stderr.write(`${message}\n`);
    try {
      const { report, faults } = await runDemo(say);
      progress.stop();
      const shape = { width: columnsOf(io), color: hasColor(io.stdout, io.env) };
      io.stdout.write(renderTable(report, { ...shape, quiet: !verbose, verbose }));
      await keepLastReport([{ alias: 'demo', report }], io, { showValues: false, quiet: false });
      const texts = [...outcomeTexts(faults), `The same as a page: ${await writtenPage(report)}`];
      io.stdout.write(`\n${texts.flatMap((text) => wrapped(text, shape.width)).join('\n')}\n\n${NEXT}`);
      return faults.every(({ isFound, isQuiet }) => isFound && isQuiet) ? EXIT_CODES.clean : EXIT_CODES.fault;
    } finally {
      progress.stop();
    }
  });
}

function outcomeTexts(faults: DemoResult['faults']): string[] {
  const named = ({ collection, path }: (typeof faults)[number]['good']) =>
    path === null ? collection : `${collection} ${path}`;
  const [missed, reported] = [faults.filter(({ isFound }) => !isFound), faults.filter(({ isQuiet }) => !isQuiet)];
  if (missed.length + reported.length === 0)
    return [
      `All ${faults.length} anti-patterns of the shop were found. Their well-designed counterparts were not reported: ${faults.map(({ good }) => named(good)).join(', ')}.`,
    ];
  return [
    ...missed.map(({ check, bad }) => `${check} missed ${named(bad)}: a bug in mongolint.`),
    ...reported.map(
      ({ check, good }) => `${check} reported ${named(good)}, which is designed well: a bug in mongolint.`,
    ),
  ];
}

/** The path of the page. Its folder is new, so that it replaces nothing. */
async function writtenPage(report: Report): Promise<string> {
  try {
    const file = join(await mkdtemp(join(tmpdir(), 'mongolint-demo-')), 'report.html');
    await writeFile(file, renderHtml(report));
    return file;
  } catch (error) {
    throw new LintError(`The page can't be written in ${tmpdir()}: ${fileFault(error)}.`, { cause: error });
  }
}
