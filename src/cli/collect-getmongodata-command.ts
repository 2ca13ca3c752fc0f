import { resolve } from 'node:path';
import { builtInChecks } from '../../checks/index.js';
import { selectedSettings } from '../findings/selected-checks.js';
import { plural } from '../format.js';
import { collectGetMongoData } from '../lint/collect-getmongodata.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { terminalText } from '../terminal-text.js';
import { unreadSentences } from './collected-run.js';
import type { Io } from './io.js';
import { spelledFlag } from './option-flag.js';
import { pseudonymsOf, type PseudonymsFlags } from './pseudonyms-secret.js';
import type { RunOptions } from './run-options.js';

/** Others are about reading a server. */
const ALLOWED: ReadonlySet<string> = new Set([
  'include',
  'exclude',
  'check',
  'skipCheck',
  'severity',
  'quiet',
] satisfies (keyof RunOptions)[]);

export interface GetMongoDataArguments {
  /** The output of getMongoData.js. */
  readonly input: string;
  readonly uri: string | undefined;
  readonly names: PseudonymsFlags;
  /** The file to write. */
  readonly output: string;
}

/** Writes evidence out of a file of getMongoData.js, MongoDB's script for support cases. */
export async function collectGetMongoDataCommand(
  { input, uri, names, output }: GetMongoDataArguments,
  flags: Partial<RunOptions>,
  io: Io,
): Promise<ExitCode> {
  if (uri !== undefined) throw new LintError('--from-getmongodata reads a file: leave out the connection string.');
  const foreign = Object.keys(flags).find((name) => !ALLOWED.has(name));
  if (foreign !== undefined) throw new LintError(`--from-getmongodata takes no option ${spelledFlag(foreign)}.`);
  const { include = [], exclude = [], check = [], skipCheck = [], severity = [], quiet = false } = flags;
  const pseudonyms = await pseudonymsOf(names, io);
  const run = await collectGetMongoData({
    input: resolve(io.cwd(), input),
    output: resolve(io.cwd(), output),
    include,
    exclude,
    settings: selectedSettings(builtInChecks, {}, { check, skipCheck, severity }),
    ...(pseudonyms !== null && { pseudonyms }),
  });
  const say = (line: string) => void io.stderr.write(`${terminalText(line)}\n`);
  unreadSentences(run).forEach(say);
  if (!quiet)
    say(
      `Evidence of ${plural(run.footer.lines.collections, 'collection')} is in ${output}: indexes and sizes, no documents and no operations. Judge it: mongolint judge ${output}`,
    );
  return EXIT_CODES.clean;
}
