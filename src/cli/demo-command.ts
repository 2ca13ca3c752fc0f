import { runDemo, type ExhibitOutcome } from '../demo/demo.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { renderTable } from '../report/table.js';
import { columnsOf, hasColor, type Io } from './io.js';
import { keepLastReport } from './last-report.js';
import { startProgress } from './progress.js';
import { withShownErrors } from './shown-errors.js';

const NEXT = `
What to do next:
  mongolint role                      a read-only role for your cluster, to paste into mongosh
  MONGODB_URI='mongodb://…' mongolint lint it
  mongolint explain FINGERPRINT       a finding above in full
  mongolint explain CHECK             when to ignore it
`;

/** Shows every check at work. It fails if a check misses its anti-pattern, or flags the well-designed twin. */
export function demoCommand(io: Io): Promise<ExitCode> {
  return withShownErrors('', {}, io, async () => {
    const progress = await startProgress(io.stderr, true, 'starting MongoDB');
    const say = (message: string) =>
      io.stderr.isTTY === true ? progress.show(message) : io.stderr.write(`${message}\n`);
    try {
      const { report, outcomes } = await runDemo(say);
      progress.stop();
      const width = columnsOf(io);
      io.stdout.write(`${outcomes.map(outcomeLines).join('')}\n`);
      io.stdout.write(renderTable(report, { width, color: hasColor(io.stdout, io.env), quiet: false, verbose: false }));
      await keepLastReport([{ alias: 'demo', report }], io, { showValues: false, quiet: false });
      const failed = outcomes.filter(({ fired, silent }) => !fired || !silent);
      io.stdout.write(
        failed.length === 0
          ? `\nAll ${outcomes.length} checks found their anti-pattern and reported nothing for the well-designed version.\n${NEXT}`
          : `\n${failed.length} of ${outcomes.length} checks failed: a bug in mongolint.\n`,
      );
      return failed.length === 0 ? EXIT_CODES.clean : EXIT_CODES.fault;
    } finally {
      progress.stop();
    }
  });
}

function outcomeLines({ exhibit, fired, silent }: ExhibitOutcome): string {
  const { thresholds, thresholdsBecause } = exhibit;
  const set = Object.entries(thresholds ?? {}).map(([name, value]) => `${name} ${value}`);
  return [
    exhibit.check,
    ...(set.length === 0 ? [] : [`  with ${set.join(' and ')} instead of the default, as ${thresholdsBecause}`]),
    `  ${fired ? '✓ found in ' : '✗ MISSED in'}  ${exhibit.bad.name}${exhibit.bad.path === null ? '' : ` · ${exhibit.bad.path}`}`,
    `  ${silent ? '✓ silent on' : '✗ FIRED on '}  ${exhibit.twin.name}`,
    '',
  ].join('\n');
}
