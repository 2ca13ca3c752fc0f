import { resolve } from 'node:path';
import type { KeptText } from '../files/kept-text.js';
import { LintError } from '../lint-error.js';
import { acceptanceLines, nameOf, withAcceptance, withoutAcceptance } from '../policy/acceptance.js';
import { todayInUtc } from '../policy/apply-policy.js';
import { type Acceptance, baselineIn, changeBaseline, readBaseline } from '../policy/baseline-file.js';
import { updatedBaseline } from '../policy/baseline.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import type { Report } from '../report/report.js';
import { terminalText } from '../text/terminal-text.js';
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
        throw new LintError(
          'accept needs a baseline: give --baseline FILE, or set "baseline" in the configuration. To begin one with the findings of today: mongolint URI --baseline FILE --update-baseline',
        );
      const done = await accept(given, baselineIn(resolve(io.cwd(), baseline)), baseline, flags, () =>
        reportsOf(given.report, io),
      );
      io.stdout.write(done);
      return EXIT_CODES.clean;
    }
    const { RunState } = await import('./state.js');
    const state = await RunState.open(uri, null, bounds);
    try {
      const found = () => (given.report === undefined ? state.reports() : reportsOf(given.report, io));
      const done = await accept(given, state.baseline, 'the state', flags, found);
      await state.save();
      io.stdout.write(done);
      return EXIT_CODES.clean;
    } finally {
      await state.close();
    }
  });
}

/**
 * What it has done, for people.
 * @param name of the file, for people
 * @param reports that may have the finding
 */
async function accept(
  given: AcceptArguments,
  kept: KeptText,
  name: string,
  flags: Partial<RunOptions>,
  reports: () => Promise<readonly Report[] | null>,
): Promise<string> {
  const entries = (await readBaseline(kept)) ?? [];
  if (given.list) {
    const lines = acceptanceLines(entries, todayInUtc());
    return `${lines.length === 0 ? 'Nothing is accepted.' : lines.map(terminalText).join('\n')}\n`;
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
  await changeBaseline(kept, (now) =>
    acceptance === null ? withoutAcceptance(now, fingerprint) : withAcceptance(now, found, fingerprint, acceptance),
  );
  const names = known.filter((entry) => entry.fingerprint === fingerprint).map(nameOf);
  const done = acceptance === null ? 'No longer accepted' : `Accepted until ${acceptance.until}`;
  return `${done}: ${fingerprint}, ${terminalText([...new Set(names)].join(', '))}, in ${name}.\n`;
}

function acceptanceOf({ until, reason }: AcceptArguments, { owner = [] }: Partial<RunOptions>): Acceptance {
  const [by, ...others] = owner;
  if (until === undefined || reason === undefined || by === undefined || others.length > 0) throw new LintError(NEEDED);
  return { since: todayInUtc(), until, owner: by, reason };
}
