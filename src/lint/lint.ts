import { isClusterCheck } from '../check.js';
import { FOREIGN_LINE, isSourceFile, UNREAD_LINE } from '../code/source-line.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import type { ExpectedSetting } from '../findings/expected-sizes.js';
import type { FaultListener } from '../findings/run-checks.js';
import type { Report } from '../report/report.js';
import type { BegunRun, JudgedPart } from '../report/unfinished-report.js';
import { linearPattern } from '../text/linear-pattern.js';
import type { LineOf } from '../workload/operations/execution.js';
import { beginJudging } from './begin-judging.js';
import { observed, type EvidenceObserver } from './judge-evidence.js';
import { withLiveRun, type OpenRun } from './open-run.js';
import { connectOptions, type ReadingOptions } from './reading-options.js';
import { sourceIn, type SourceFolders } from './source-in.js';

/** In characters. Nothing is read of longer comments. */
const LONGEST_COMMENT = 300;

/** As "at=src/orders.ts:42". */
const NAMED_LINE = '^at=(?<file>.+):(?<line>[1-9][0-9]{0,6})$';

/** In ms, for judging what was read when the run's time is up: less than a watched run is left before it is ended. */
const JUDGING_GRACE = 2_000;

/** How far the run is. */
export interface LintProgress {
  readonly done: number;
  readonly total: number;
  /** The collection that was just judged. */
  readonly namespace: string;
}

/** What to lint, with what, and how much it may cost. Everything but the URI has a default: see docs/configuration.md. */
export interface LintOptions extends ReadingOptions {
  /** Sizes at which collections are judged instead of their present ones. If several match, the last one wins. */
  readonly expect?: readonly ExpectedSetting[];
  readonly onProgress?: (progress: LintProgress) => void;
  /** Hears of a check that threw, of evidence that failed in a way not foreseen, or of a listener's rejected promise; the run goes on. */
  readonly onFault?: FaultListener;
}

/** Sees a run as it goes on, so that what was found is not lost with it. */
export interface RunWatcher {
  begun(run: BegunRun): void;
  /** The reading of a collection begins. */
  reading(namespace: string): void;
  judged(part: JudgedPart): void;
  /** What is read of the cluster, before it is joined with production. */
  readonly observer?: EvidenceObserver;
}

/**
 * Lints a cluster: connect → inventory → evidence → checks → findings → report.
 *
 * @throws LintError for an option that is wrong, and if it could not be linted at all. The report's `skipped` lists what
 * could not be judged.
 */
export async function lint(options: LintOptions): Promise<Report> {
  const { assertOptions } = await import('./checked-options.js');
  assertOptions(options);
  return watchedLint({ ...options, ...shieldedListeners(options) });
}

/** A promise that one of them returns must not end the process if it is rejected: `onFault` hears of it. */
function shieldedListeners({ onFault, onProgress, onClient }: LintOptions): Partial<LintOptions> {
  const reportFault = shielded(onFault, () => undefined);
  const tell = (name: string) => (error: unknown) => reportFault(name, '', error);
  return {
    onFault: reportFault,
    onProgress: shielded(onProgress, tell('onProgress')),
    onClient: shielded(onClient, tell('onClient')),
  };
}

function shielded<Args extends readonly unknown[]>(
  listener: ((...args: Args) => unknown) | undefined,
  onRejection: (error: unknown) => void,
): (...args: Args) => void {
  return (...args) => void Promise.resolve(listener?.(...args)).catch(onRejection);
}

/** @param source reads folders of source */
export async function watchedLint(
  options: LintOptions,
  watcher?: RunWatcher,
  source: typeof sourceIn = sourceIn,
): Promise<Report> {
  const { include = [], onProgress } = options;
  const { maxTime } = connectOptions(options);
  // First, so that a file that can't be used fails at once.
  const { judge, code } = await beginJudging(options, { maxTime, grace: JUDGING_GRACE }, source);
  const use = (open: OpenRun) => {
    const { run, ...judging } = open;
    watcher?.observer?.begin(run);
    const total = ownNamespaces(open).length;
    let done = 0;
    watcher?.begun(begunRun(open));
    return judge(observed(run, watcher?.observer), {
      ...judging,
      include,
      onJudged(judged) {
        done += 1;
        onProgress?.({ done, total, namespace: judged.measured.namespace });
        watcher?.judged(judged);
      },
    });
  };
  return withLiveRun(options, use, {
    onReading: (namespace) => watcher?.reading(namespace),
    ...(code !== null && {
      lineOf: code.then((read) => (read.present ? namedLines(read.value, options.code) : undefined)),
    }),
  });
}

function begunRun(open: OpenRun): BegunRun {
  const { run, checks } = open;
  return {
    startedAt: run.startedAt,
    cluster: run.cluster,
    checks: checks.map(({ id, title }) => ({ id, title })),
    clusterChecks: checks.filter(isClusterCheck).map(({ id }) => id),
    namespaces: ownNamespaces(open),
  };
}

function ownNamespaces({ run: { inventory }, isOwn }: OpenRun): string[] {
  return inventory.collections.map(({ namespace }) => namespace).filter(isOwn);
}

/**
 * Reads comments of operations, of which nothing is kept but the name of a file that was read, and a line that it has if the
 * comment names one; or that it names a file that was not read.
 *
 * @param folders whose `comments` say how the program writes them
 */
export function namedLines({ byName }: Pick<UnderstoodCode, 'byName'>, folders: SourceFolders = []): LineOf {
  const patterns = [
    { pattern: linearPattern(NAMED_LINE), below: [''] },
    ...folders.flatMap((folder) =>
      typeof folder === 'string'
        ? []
        : (folder.comments ?? []).map((text) => ({
            pattern: linearPattern(text),
            below: ['', `${folder.name ?? folder.dir}/`],
          })),
    ),
  ];
  return (comment) => {
    if (typeof comment !== 'string' || comment.length > LONGEST_COMMENT) return null;
    let unread: string | null = null;
    for (const { pattern, below } of patterns) {
      const { file, line } = pattern?.find(comment) ?? {};
      if (file === undefined) continue;
      const names = [file, decoded(file)].flatMap((name) => below.map((prefix) => prefix + name));
      const found = names.find((name) => byName.has(name));
      const lines = found === undefined ? undefined : byName.get(found)?.lines;
      if (lines === undefined) unread ??= isOfOther(file) ? FOREIGN_LINE : UNREAD_LINE;
      else if (line === undefined) return found as string;
      else return isWithin(line, lines) ? `${found}:${line}` : null;
    }
    return unread;
  };
}

/** As sqlcommenter writes values. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether its ending is that of another language. */
function isOfOther(file: string): boolean {
  return /\.\w+$/.test(file) && !isSourceFile(file);
}

function isWithin(line: string, lines: number): boolean {
  return /^[1-9]\d{0,6}$/.test(line) && Number(line) <= lines;
}
