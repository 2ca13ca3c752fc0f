import { resolve } from 'node:path';
import { LintError } from '../lint-error.js';
import { acceptanceLines, withAcceptance, withoutAcceptance } from '../policy/acceptance.js';
import { todayInUtc } from '../policy/apply-policy.js';
import { updatedBaseline } from '../policy/baseline.js';
import type { BaselineEntry } from '../policy/baseline-entry.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { terminalText } from '../terminal-text.js';
import type { Io } from './io.js';
import type { RunOptions } from './run-options.js';
import { loadedSettings } from './run-settings.js';
import { readSavedReports } from './saved-run.js';
import { withShownErrors } from './shown-errors.js';

export interface AcceptArguments {
  readonly fingerprint: string | undefined;
  /** A report that --format json wrote. */
  readonly from: string | undefined;
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
      return accept(given, resolve(io.cwd(), baseline), baseline, flags, io);
    }
    const { RunState } = await import('./state.js');
    const state = await RunState.open(uri, [], bounds, true);
    let unwritten: string[] = [];
    try {
      await accept(given, state.baseline, 'the state', flags, io);
    } finally {
      unwritten = await state.close();
    }
    for (const line of unwritten) io.stderr.write(`${line}\n`);
    return unwritten.length === 0 ? EXIT_CODES.clean : EXIT_CODES.fault;
  });
}

/** @param name of the file, for people */
async function accept(
  given: AcceptArguments,
  file: string,
  name: string,
  flags: Partial<RunOptions>,
  io: Io,
): Promise<ExitCode> {
  const { readBaseline, writeBaseline } = await import('../policy/baseline-file.js');
  const entries = (await readBaseline(file)) ?? [];
  const today = todayInUtc();
  if (given.list) {
    const lines = acceptanceLines(entries, today);
    io.stdout.write(`${lines.length === 0 ? 'Nothing is accepted.' : lines.map(terminalText).join('\n')}\n`);
    return EXIT_CODES.clean;
  }
  const { fingerprint, undo } = given;
  if (fingerprint === undefined) throw new LintError(NEEDED);
  await writeBaseline(file, undo ? withoutAcceptance(entries, fingerprint) : await accepted(given, entries, flags, io));
  io.stdout.write(`${undo ? 'No longer accepted' : `Accepted until ${given.until}`}: ${fingerprint}, in ${name}.\n`);
  return EXIT_CODES.clean;
}

async function accepted(
  { fingerprint = '', from, until, reason }: AcceptArguments,
  entries: readonly BaselineEntry[],
  { owner = [] }: Partial<RunOptions>,
  io: Io,
): Promise<BaselineEntry[]> {
  const [by, ...others] = owner;
  if (until === undefined || reason === undefined || by === undefined || others.length > 0) throw new LintError(NEEDED);
  const saved = from === undefined ? [] : (await readSavedReports(from, io)).reports;
  const found = updatedBaseline(
    [],
    saved.flatMap(({ report }) => report ?? []),
  );
  return withAcceptance(entries, found, fingerprint, { since: todayInUtc(), until, owner: by, reason });
}
