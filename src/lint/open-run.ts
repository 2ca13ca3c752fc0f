import { connect } from '../connect/connect.js';
import type { HistoryFile } from '../growth/history-file.js';
import { resolvedSettings, type RunSettings } from '../findings/check-settings.js';
import { beginLiveRun, type LiveRun, type LiveRunOptions } from './live-run.js';
import { checksOf, collectOptions, connectOptions, type ReadingOptions } from './reading-options.js';
import { runShare, type RunShare } from './run-share.js';
import { assertGlobs } from './wanted-collections.js';

/** A run under way, and what it is for. */
export interface OpenRun extends RunShare {
  readonly run: LiveRun;
  readonly settings: RunSettings;
}

/**
 * Connects, begins to collect what the enabled checks need, and closes everything after `use`.
 *
 * @param isCarried whether the evidence is written to a file
 * @throws LintError if the cluster can't be read at all, or the history can't be used
 */
export async function withLiveRun<Result>(
  options: ReadingOptions,
  use: (open: OpenRun) => Promise<Result>,
  isCarried = false,
): Promise<Result> {
  assertGlobs(options);
  // First, so that a file that can't be used fails at once, and other runs wait for this one.
  const history = options.history === undefined ? null : await openHistory(options.history);
  try {
    return await connected(options, { history, isCarried }, use);
  } finally {
    await history?.close();
  }
}

/** Loaded only if it is asked for, since it brings the validation of the file's lines. */
async function openHistory(file: string): Promise<HistoryFile> {
  const { HistoryFile } = await import('../growth/history-file.js');
  return HistoryFile.open(file);
}

async function connected<Result>(
  options: ReadingOptions,
  carrying: Pick<LiveRunOptions, 'history' | 'isCarried'>,
  use: (open: OpenRun) => Promise<Result>,
): Promise<Result> {
  const startedAt = new Date();
  const settings = resolvedSettings(options.settings ?? {});
  const connection = await connect(connectOptions(options), options.onClient);
  try {
    const share = runShare(await checksOf(options), settings, options.part);
    const run = await beginLiveRun(connection, { ...collectOptions(options), ...share, startedAt, ...carrying });
    return await use({ run, settings, ...share });
  } finally {
    await connection.close();
  }
}
