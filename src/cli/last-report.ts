import { lstat, mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileFault, FileFault, nullIfMissing } from '../file-fault.js';
import { PRIVATE_MODE, replaceFile } from '../file-replacement.js';
import { LintError } from '../lint-error.js';
import { renderTargetReports, type TargetReport } from '../report/target-reports.js';
import { separated } from '../findings/further-reasons.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { findingPage } from './finding-page.js';
import { columnsOf, hasColor, type Io } from './io.js';
import { readSavedReports } from './saved-run.js';

const PRIVATE_FOLDER = 0o700;
const OTHERS_MAY_WRITE = 0o022;
const NAMED = 5;

/** Fewer digits are taken for the name of a check. */
export const LIKE_FINGERPRINT = /^[0-9a-f]{4,}$/;

/** Where this user's last report is kept: `$XDG_STATE_HOME/mongolint/last-report.json`, or below `~/.local/state`. */
export function lastReportFile(env: Io['env']): string {
  const { XDG_STATE_HOME: set = '', LOCALAPPDATA: onWindows } = env;
  const state = isAbsolute(set) ? set : (onWindows ?? join(homedir(), '.local', 'state'));
  return join(state, 'mongolint', 'last-report.json');
}

/**
 * Keeps what a run on a terminal reported, for `mongolint explain FINGERPRINT`: as JSON, readable by this user only, in a folder
 * and a file of this user, neither of them a link. Of a job without a terminal nothing is kept, and nothing with `showValues`:
 * it may hold `_id`s. An older report is then removed.
 */
export async function keepLastReport(
  reports: readonly TargetReport[],
  io: Io,
  { showValues, quiet }: { readonly showValues: boolean; readonly quiet: boolean },
): Promise<void> {
  if (io.stdout.isTTY !== true && io.stderr.isTTY !== true) return;
  const file = lastReportFile(io.env);
  try {
    await mkdir(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
    await refuseForeign(dirname(file), 'folder');
    await refuseForeign(file, 'file');
    if (showValues) await rm(file, { force: true });
    else await replaceFile(file, renderTargetReports(reports), PRIVATE_MODE);
  } catch (error) {
    if (!quiet)
      io.stderr.write(`mongolint explain won't know this report: ${file} can't be written: ${fileFault(error)}.\n`);
  }
}

/** @throws FileFault for a link, for what is of another user, or of another kind */
async function refuseForeign(path: string, kind: 'file' | 'folder'): Promise<void> {
  const status = await lstat(path).catch(nullIfMissing);
  if (status === null) return;
  if (status.isSymbolicLink()) throw new FileFault(`the ${kind} is a link`);
  if (!(kind === 'file' ? status.isFile() : status.isDirectory())) throw new FileFault(`it is no ${kind}`);
  const own = process.geteuid?.();
  if (own === undefined) return;
  if (status.uid !== own) throw new FileFault(`the ${kind} belongs to another user`);
  if ((status.mode & OTHERS_MAY_WRITE) !== 0) throw new FileFault(`others may write to the ${kind}`);
}

/**
 * Prints the findings of the last report, or of a file, whose fingerprint begins so: one, or one of each target.
 * @throws LintError if there is no such report or finding, or several
 */
export async function explainFinding(beginning: string, file: string | undefined, io: Io): Promise<ExitCode> {
  const { reports } = await readSavedReports(file ?? (await keptFile(io)), io);
  const whose = file === undefined ? 'the last report' : file;
  const matches = reports.flatMap(({ report }) =>
    (report?.findings ?? [])
      .filter((finding) => separated(finding).some(({ fingerprint }) => fingerprint.startsWith(beginning)))
      .map((finding) => ({ report, finding })),
  );
  const distinct = new Map(matches.map(({ finding }) => [finding.fingerprint, finding]));
  if (distinct.size === 0)
    throw new LintError(
      `No finding of ${whose} has a fingerprint that begins with ${beginning}; --report FILE names another report.`,
    );
  if (distinct.size > 1) {
    const named = [...distinct.values()].slice(0, NAMED).map(({ fingerprint, check }) => `${fingerprint} (${check})`);
    const more = distinct.size > NAMED ? ', …' : '';
    throw new LintError(`Several fingerprints begin with ${beginning}: ${named.join(', ')}${more}.`);
  }
  const shape = { width: columnsOf(io), color: hasColor(io.stdout, io.env) };
  const texts = matches.map(({ report, finding }) =>
    report === null ? '' : findingPage(report, finding.fingerprint, shape),
  );
  io.stdout.write(texts.join('\n'));
  return EXIT_CODES.clean;
}

async function keptFile({ env }: Io): Promise<string> {
  const file = lastReportFile(env);
  if ((await lstat(file).catch(nullIfMissing)) !== null) return file;
  throw new LintError(
    'No report is kept: a run on a terminal keeps its report, unless it has --show-values. Name one that --format json wrote: --report FILE.',
  );
}
