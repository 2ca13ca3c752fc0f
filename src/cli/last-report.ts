import { lstat, mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileFault, FileFault, nullIfMissing } from '../files/file-fault.js';
import { strangerIn } from '../files/file-owner.js';
import { PRIVATE_MODE, replaceFile } from '../files/file-replacement.js';
import type { Finding } from '../finding.js';
import { byNamespace } from '../findings/finding-order.js';
import { separated } from '../findings/further-reasons.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { clusterTexts } from '../report/coverage.js';
import { namespaceLines } from '../report/finding-details.js';
import { statusText } from '../report/finding-status.js';
import { painter } from '../report/paint.js';
import { printableReport } from '../report/printable-report.js';
import type { RenderOptions } from '../report/report-options.js';
import type { Report } from '../report/report.js';
import { renderTargetReports, type TargetReport } from '../report/target-reports.js';
import { flowed, LEAST_WIDTH } from '../report/text-layout.js';
import { terminalText } from '../text/terminal-text.js';
import { LIKE_FINGERPRINT } from './catalogue-commands.js';
import { columnsOf, hasColor, type Io } from './io.js';
import type { RunOptions } from './run-options.js';
import { loadedSettings } from './run-settings.js';
import { readSavedReports } from './saved-run.js';

const PRIVATE_FOLDER = 0o700;
const NAMED = 5;

export const ANOTHER_REPORT = '--report FILE names another report';

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
  const stranger = strangerIn(status);
  if (stranger !== null) throw new FileFault(`the ${kind} ${stranger}`);
}

/**
 * Prints the findings of the last report, or of a file, whose fingerprint begins so, or that a check of this id
 * found.
 * @throws LintError if there is no such report or finding, or several
 */
export async function explainFinding(
  what: string,
  file: string | undefined,
  flags: Partial<RunOptions>,
  io: Io,
): Promise<ExitCode> {
  const reports = (file === undefined ? await stateReports(flags, io) : null) ?? (await reportsOf(file, io));
  if (reports === null)
    throw new LintError(
      'No saved report: runs on a terminal save theirs, except with --show-values. Or name one that --format json=FILE wrote: --report FILE.',
    );
  const all = reports.flatMap(({ findings }) => findings).flatMap(separated);
  const ofCheck = all.filter(({ check }) => check === what).map(({ fingerprint }) => fingerprint);
  const whose = file ?? 'the last report';
  if (ofCheck.length === 0 && !LIKE_FINGERPRINT.test(what))
    throw new LintError(
      `${whose} has no finding of a check "${terminalText(what)}": give the id of a check, or a fingerprint.`,
    );
  const wanted = new Set(ofCheck.length > 0 ? ofCheck : [fingerprintOf(what, all, { whose, hint: ANOTHER_REPORT })]);
  const shape = { width: columnsOf(io), color: hasColor(io.stdout, io.env) };
  const texts = reports.flatMap((report) =>
    report.findings
      .filter((finding) => separated(finding).some(({ fingerprint }) => wanted.has(fingerprint)))
      .map(({ fingerprint }) => findingPage(report, fingerprint, shape)),
  );
  io.stdout.write(texts.join('\n'));
  return EXIT_CODES.clean;
}

/**
 * The one fingerprint that begins so.
 * @param whose what is searched, for people
 * @param hint what to try if it has none
 * @throws LintError if there is none, or several, or if what is given is none
 */
export function fingerprintOf(
  beginning: string,
  among: readonly Pick<Finding, 'fingerprint' | 'check'>[],
  { whose, hint }: { readonly whose: string; readonly hint: string },
): string {
  if (!LIKE_FINGERPRINT.test(beginning))
    throw new LintError(`${beginning} is not a fingerprint: reports print the first seven digits, 0 to 9 and a to f.`);
  const matches = among.filter(({ fingerprint }) => fingerprint.startsWith(beginning));
  const [one, ...others] = new Map(matches.map((finding) => [finding.fingerprint, finding])).values();
  if (one === undefined)
    throw new LintError(`No finding of ${whose} has a fingerprint that begins with ${beginning}; ${hint}.`);
  if (others.length === 0) return one.fingerprint;
  const named = [one, ...others].slice(0, NAMED).map(({ fingerprint, check }) => `${fingerprint} (${check})`);
  const more = others.length >= NAMED ? ', …' : '';
  throw new LintError(`Several fingerprints begin with ${beginning}: ${named.join(', ')}${more}.`);
}

/** The last reports in the state; null if the configuration has no state. */
async function stateReports(flags: Partial<RunOptions>, io: Io): Promise<Report[] | null> {
  const { state: uri, ...bounds } = (await loadedSettings(flags, io)).resolved.values;
  if (uri === undefined) return null;
  await io.beforeForeignCode?.();
  const { RunState } = await import('./state.js');
  const state = await RunState.open(uri, null, bounds);
  try {
    return await state.reports();
  } finally {
    await state.close();
  }
}

/** The reports in a file that `--format json` wrote, or the last one on a terminal; null before the first one. */
export async function reportsOf(file: string | undefined, io: Io): Promise<Report[] | null> {
  const kept = lastReportFile(io.env);
  if (file === undefined && (await lstat(kept).catch(nullIfMissing)) === null) return null;
  const { reports } = await readSavedReports(file ?? kept, io);
  return reports.flatMap(({ report }) => report ?? []);
}

/** A finding in full, as `mongolint explain` shows it; empty if the report has none of this fingerprint. */
function findingPage(
  report: Report,
  fingerprint: string,
  { width, color }: Pick<RenderOptions, 'width' | 'color'>,
): string {
  const columns = Math.max(LEAST_WIDTH, Math.floor(width));
  const [paint, safe] = [painter(color), printableReport(report)];
  const own = safe.findings.filter((finding) => finding.fingerprint === fingerprint);
  const sections = byNamespace(own).map((group) => {
    const collection = safe.collections.find(({ namespace }) => namespace === group.namespace);
    return namespaceLines(group, new Map(), collection, columns, paint);
  });
  const status = own.flatMap((finding) => statusText(finding) ?? []);
  const when = `${safe.startedAt.slice(0, 16).replace('T', ' ')} UTC`;
  const [server = ''] = clusterTexts(safe.cluster);
  const head = flowed([...(safe.target === undefined ? [] : [safe.target]), server, when], ' · ', columns);
  const parts = [head.map((line) => paint('aside', line)), ...sections, status].filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
