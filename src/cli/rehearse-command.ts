import { URI_VARIABLE } from '../config/environment.js';
import { isLikeUri } from '../connect/shown-uri.js';
import { startEmbeddedMongod, type EmbeddedMongod } from '../demo/embedded-mongod/embedded-mongod.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { painter } from '../report/paint.js';
import { rehearsalText } from './rehearsal-text.js';
import { rehearse } from '../rehearsal/rehearse.js';
import { columnsOf, hasColor, type Io } from './io.js';
import { lintOptions } from './lint-targets.js';
import { startProgress, type ProgressLine } from './progress.js';
import { isJsonWanted } from './report-outputs.js';
import type { RunOptions } from './run-options.js';
import { onlyTarget, runSettings } from './run-settings.js';
import { withShownErrors } from './shown-errors.js';

export interface RehearseArguments {
  readonly uri: string | undefined;
  /** Connection string of the scratch server; the embedded one of the demo if absent. */
  readonly on: string | undefined;
  /** Documents of each collection on it. */
  readonly documents: number | undefined;
}

/** Rehearses the advised indexes on a scratch server. Returns `findings` if an operation gets worse by them. */
export async function rehearseCommand(
  { uri, on, documents }: RehearseArguments,
  flags: Partial<RunOptions>,
  io: Io,
): Promise<ExitCode> {
  return withShownErrors(uri ?? io.env[URI_VARIABLE] ?? '', flags, io, async () => {
    if (on !== undefined && !isLikeUri(on))
      throw new LintError('Write --on as a connection string: mongodb://localhost:27018.');
    const isJson = isJsonWanted(flags.format ?? [], 'rehearse');
    const settings = await runSettings(uri, flags, io);
    const { uri: linted, options, expect } = onlyTarget(settings);
    const { config } = settings;
    const interruption = io.interruption?.();
    const progress = await startProgress(io.stderr, options.progress && !options.quiet, 'connecting');
    let embedded: EmbeddedMongod | null = null;
    try {
      embedded = on === undefined ? await embeddedServer(progress) : null;
      // The history is a file, and production's figures are of other documents than those that are sampled.
      const { history: _, production: __, ...reading } = lintOptions(options, io.cwd());
      const rehearsal = await rehearse({
        ...reading,
        uri: linted,
        on: on ?? (embedded as EmbeddedMongod).uri,
        checks: config.checks,
        settings: config.settings,
        expect,
        ...(documents !== undefined && { documents }),
        ...(interruption !== undefined && { interruption }),
        onStep: progress.show,
      });
      progress.stop();
      const paint = painter(hasColor(io.stdout, io.env));
      io.stdout.write(
        isJson ? `${JSON.stringify(rehearsal, null, 2)}\n` : rehearsalText(rehearsal, columnsOf(io), paint),
      );
      return rehearsal.shapes.some(({ worse }) => worse) ? EXIT_CODES.findings : EXIT_CODES.clean;
    } finally {
      progress.stop();
      await embedded?.stop();
    }
  });
}

async function embeddedServer({ show }: ProgressLine): Promise<EmbeddedMongod> {
  try {
    return await startEmbeddedMongod(show);
  } catch (error) {
    if (!(error instanceof LintError)) throw error;
    throw new LintError(`Name a scratch server with --on, or let one start here: ${error.message}`, { cause: error });
  }
}
