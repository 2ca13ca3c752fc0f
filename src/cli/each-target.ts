import pLimit from 'p-limit';
import { traceOf } from '../connect/shown-error.js';
import type { FaultListener } from '../findings/run-checks.js';
import type { TargetRun } from '../policy/judged.js';
import { namesOfPart } from '../report/names-of-part.js';
import type { Report } from '../report/report.js';
import { failureSentences } from '../report/run-failure.js';
import { partText, type RunPart } from '../report/run-part.js';
import { terminalText } from '../text/terminal-text.js';
import type { Io } from './io.js';
import { startProgress, type ProgressLine } from './progress.js';
import type { RunTarget } from './run-settings.js';
import { lineOf } from './shown-errors.js';

/** The targets of a run. */
interface TargetsOfRun {
  readonly targets: readonly RunTarget[];
  /** Which part of the targets they are; absent if they are all. */
  readonly part?: RunPart;
  /** What to tell about it; null if there is nothing. */
  readonly note: string | null;
}

/** A cluster, or the file that holds its evidence. */
export type ReadTarget = Pick<RunTarget, 'alias' | 'options' | 'expect' | 'isNarrowed'> &
  Partial<Pick<RunTarget, 'uri'>>;

/** A target that is under way. */
export interface TargetUnderWay {
  /** Its place among the targets. */
  readonly of: number;
  readonly interruption: AbortSignal | undefined;
  /** Shows how far it is. */
  show(text: string): void;
  /** Writes a line to stderr, with its alias. */
  say(line: string): void;
  /** Writes where an error comes from, with `--verbose`. */
  explain(error: unknown): void;
}

/**
 * Runs something on each target, several at once, and gives what it returned in the order of the targets, or the line that says
 * why it threw. One that fails does not keep the others back.
 * @param concurrency targets under way at once
 * @param kept the report that is noted of a target, for a run that can't write it
 */
export async function eachTarget<Target extends ReadTarget, Result>(
  targets: readonly Target[],
  concurrency: number,
  io: Io,
  run: (target: Target, underWay: TargetUnderWay) => Promise<Result>,
  kept: (result: Result) => Report | null = () => null,
): Promise<(Result | string)[]> {
  const isWanted = targets.every(({ uri, options }) => uri !== undefined && options.progress && !options.quiet);
  const line = await startProgress(io.stderr, isWanted, 'connecting');
  const interruption = io.interruption?.();
  const limit = pLimit(concurrency);
  let done = 0;
  const runOne = async (target: Target, of: number): Promise<Result | string> => {
    const { alias, isNarrowed, options } = target;
    const { include, exclude, maxTime } = options;
    const noted = { include, exclude, isNarrowed, maxTime, ...(alias !== undefined && { alias }) };
    io.note?.({ kind: 'target', of, target: noted });
    const before = () => (targets.length === 1 ? '' : `${done} of ${targets.length} targets done; `);
    const underWay = { of, interruption, ...linesOf(target, line, before) };
    const result = await run(target, underWay).catch((error: unknown) => {
      const failure = `${prefixOf(target)}${lineOf(error)}`;
      line.print(`${failure}\n`);
      underWay.explain(error);
      return failure;
    });
    io.note?.({ kind: 'finished', of, report: typeof result === 'string' ? null : kept(result) });
    done += 1;
    return result;
  };
  const results = await Promise.all(targets.map((target, index) => limit(runOne, target, index)));
  line.stop();
  return results;
}

/** The run as that of its target; stderr says why it is no pass. */
export function named(run: TargetRun, alias: string | undefined, say: TargetUnderWay['say']): TargetRun {
  failureSentences(run.report).forEach(say);
  return { ...run, report: { ...run.report, ...(alias !== undefined && { target: alias }) } };
}

/** Says, with `--verbose`, which check failed, and where. */
export function faultListener({ options }: ReadTarget, { say, explain }: TargetUnderWay): FaultListener {
  return (check, namespace, error) => {
    if (options.verbose) say(`${check} failed on ${namespace}:`);
    explain(error);
  };
}

function linesOf(target: ReadTarget, line: ProgressLine, before: () => string) {
  const prefix = prefixOf(target);
  return {
    show: (text: string) => line.show(`${before()}${prefix}${text}`),
    say: (text: string) => line.print(`${prefix}${terminalText(text)}\n`),
    explain(error: unknown) {
      if (target.options.verbose && error instanceof Error) line.print(`${traceOf(error, target.uri)}\n`);
    },
  };
}

function prefixOf({ alias }: ReadTarget): string {
  return alias === undefined ? '' : `${alias}: `;
}

/** The targets of the part that --shard names, or that part of the collections if there is one target. */
export function targetsOfPart(targets: readonly RunTarget[], part: RunPart | undefined): TargetsOfRun {
  if (part === undefined) return { targets, note: null };
  if (targets.length < 2) return { targets: targets.map((target) => ({ ...target, part })), note: null };
  const own = namesOfPart(
    targets.map(({ alias = '' }) => alias),
    part,
  );
  const left = targets.filter(({ alias = '' }) => own.has(alias));
  const note =
    left.length === 0
      ? `${partText(part)} has no targets: there are only ${targets.length}.`
      : `${partText(part)}: ${left.length} of ${targets.length} targets.`;
  return { targets: left, part, note: `${note.charAt(0).toUpperCase()}${note.slice(1)}` };
}
