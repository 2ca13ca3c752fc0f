import { URI_VARIABLE } from '../config/environment.js';
import { assertMapUsed } from '../lint/join-production.js';
import type { Policy } from '../policy/apply-policy.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import type { Io } from './io.js';
import { lintTargets } from './lint-targets.js';
import { reportTargets } from './report-targets.js';
import type { RunOptions } from './run-options.js';
import { runSettings } from './run-settings.js';
import { passwordWarnings, settingsText } from './settings-text.js';
import { targetsOfPart } from './targets-of-part.js';
import { withShownErrors } from './shown-errors.js';

/** Lints and reports. Returns the exit code; never throws for what a user can fix. */
export async function lintCommand(argument: string | undefined, flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  return withShownErrors(argument ?? io.env[URI_VARIABLE] ?? '', flags, io, async () => {
    io.note?.({ kind: 'preparing' });
    const settings = await runSettings(argument, flags, io);
    if (flags.printConfig === true) {
      const { effectiveConfig } = await import('./effective-config.js');
      io.stdout.write(effectiveConfig(settings, io.cwd()));
      return EXIT_CODES.clean;
    }
    const { verbose, quiet, targetConcurrency, shard } = settings.resolved.values;
    const say = (line: string) => void io.stderr.write(`${line}\n`);
    if (!quiet) passwordWarnings(settings).forEach(say);
    if (verbose) say(settingsText(settings));
    const { config } = settings;
    settings.targets.forEach(({ options }) => assertMapUsed(options));
    const { targets, part, note } = targetsOfPart(settings.targets, shard);
    if (note !== null && !quiet) say(note);
    const lintAll = (baseline: Policy['baseline']) => lintTargets(targets, config, io, baseline, targetConcurrency);
    return reportTargets(settings, targets, lintAll, io, part);
  });
}
