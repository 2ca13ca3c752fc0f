import { resolve } from 'node:path';
import { LintError } from '../lint-error.js';
import { acceptanceLines, nameOf, withAcceptance, withoutAcceptance } from '../policy/acceptance.js';
import { todayInUtc } from '../policy/apply-policy.js';
import type { Acceptance } from '../policy/baseline-file.js';
import { updatedBaseline } from '../policy/baseline.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import type { Report } from '../report/report.js';
import { terminalText } from '../terminal-text.js';
import type { Io } from './io.js';
import { ANOTHER_REPORT, fingerprintOf, reportsOf } from './last-report.js';
import type { RunOptions } from './run-options.js';
import { loadedSettings } from './run-settings.js';
import { withShownErrors } from './shown-errors.js';

export interface AcceptArguments {
  readonly fingerprint: string | undefined;
  /** A report that --format json wrote; the last one on a terminal if absent. */
  readonly report: string | undefined;
  /** YYYY-MM-DD. */
  readonly until: string | undefined;
  readonly reason: string | undefined;
  readonly list: boolean;
  readonly undo: boolean;
}

const NEEDED =
  'accept needs a fingerprint, --until DATE, --reason TEXT and one --owner NAME; or --list; or --undo and a fingerprint.';

/** Accepts a finding in the baseline until a day, for a reason, in the name of somebody; lists, or takes it back. */
export function acceptCommand(given: AcceptArguments, flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  return withShownErrors('', flags, io, async () => {
    const { baseline, state: uri, ...bounds } = (await loadedSettings(flags, io)).resolved.values;
    if (uri === undefined) {
      if (baseline === undefined)
        throw new LintError('accept needs a file: give --baseline FILE, or set "baseline" in the configuration.');
      return accept(given, resolve(io.cwd(), baseline), baseline, flags, io, () => reportsOf(given.report, io));
    }
    const { RunState } = await import('./state.js');
    const state = await RunState.open(uri, [], bounds, true);
    let unwritten: string[] = [];
    try {
      const found = () => (given.report === undefined ? state.reports() : reportsOf(given.report, io));
      await accept(given, state.baseline, 'the state', flags, io, found);
    } finally {
      unwritten = await state.close();
    }
    for (const line of unwritten) io.stderr.write(`${line}\n`);
    return unwritten.length === 0 ? EXIT_CODES.clean : EXIT_CODES.fault;
  });
}

/**
 * @param name of the file, for people
 * @param reports that may have the finding
 */
async function accept(
  given: AcceptArguments,
  file: string,
  name: string,
  flags: Partial<RunOptions>,
  io: Io,
  reports: () => Promise<readonly Report[] | null>,
): Promise<ExitCode> {
  const { readBaseline, writeBaseline } = await import('../policy/baseline-file.js');
  const entries = (await readBaseline(file)) ?? [];
  const today = todayInUtc();
  if (given.list) {
    const lines = acceptanceLines(entries, today);
    io.stdout.write(`${lines.length === 0 ? 'Nothing is accepted.' : lines.map(terminalText).join('\n')}\n`);
    return EXIT_CODES.clean;
  }
  const { fingerprint: beginning, undo } = given;
  if (beginning === undefined) throw new LintError(NEEDED);
  const acceptance = undo ? null : acceptanceOf(given, flags);
  const found = undo ? [] : updatedBaseline([], (await reports()) ?? []);
  const known = [...found, ...(undo ? entries.filter(({ accepted }) => accepted !== undefined) : entries)];
  const fingerprint = fingerprintOf(
    beginning,
    known,
    undo
      ? { whose: 'what is accepted', hint: '--list lists it' }
      : { whose: `${given.report ?? 'the last report'} or of ${name}`, hint: ANOTHER_REPORT },
  );
  const after =
    acceptance === null
      ? withoutAcceptance(entries, fingerprint)
      : withAcceptance(entries, found, fingerprint, acceptance);
  await writeBaseline(file, after);
  const names = known.filter((entry) => entry.fingerprint === fingerprint).map(nameOf);
  const done = acceptance === null ? 'No longer accepted' : `Accepted until ${acceptance.until}`;
  io.stdout.write(`${done}: ${fingerprint}, ${terminalText([...new Set(names)].join(', '))}, in ${name}.\n`);
  return EXIT_CODES.clean;
}

function acceptanceOf({ until, reason }: AcceptArguments, { owner = [] }: Partial<RunOptions>): Acceptance {
  const [by, ...others] = owner;
  if (until === undefined || reason === undefined || by === undefined || others.length > 0) throw new LintError(NEEDED);
  return { since: todayInUtc(), until, owner: by, reason };
}
