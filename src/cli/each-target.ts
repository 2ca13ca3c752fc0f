import pLimit from 'p-limit';
import { namesOfPart, partText, type RunPart } from '../run-part.js';
import type { Io } from './io.js';
import { startProgress, type ProgressLine } from './progress.js';
import type { RunTarget } from './run-settings.js';

/** The targets of a run. */
interface TargetsOfRun {
  readonly targets: readonly RunTarget[];
  /** Which part of the targets they are; absent if they are all. */
  readonly part?: RunPart;
  /** What to tell about it; null if there is nothing. */
  readonly note: string | null;
}

/** What a target tells while it is under way. */
export interface TargetProgress {
  /** How far it is. */
  show(text: string): void;
  /** A line on stderr. */
  say(line: string): void;
}

/**
 * Runs something on each target, several at once, and gives what it returned in the order of the targets.
 * @param concurrency targets under way at once
 * @param run must not throw
 */
export async function eachTarget<Result>(
  targets: readonly RunTarget[],
  concurrency: number,
  io: Io,
  run: (target: RunTarget, index: number, progress: TargetProgress) => Promise<Result>,
): Promise<Result[]> {
  const isWanted = targets.every(({ options }) => options.progress && !options.quiet);
  const line = await startProgress(io.stderr, isWanted, 'connecting');
  const limit = pLimit(concurrency);
  let done = 0;
  const runOne = async (target: RunTarget, index: number): Promise<Result> => {
    const before = () => (targets.length === 1 ? '' : `${done} of ${targets.length} targets done; `);
    const result = await run(target, index, progressOf(target, line, before));
    done += 1;
    return result;
  };
  const results = await Promise.all(targets.map((target, index) => limit(runOne, target, index)));
  line.stop();
  return results;
}

function progressOf({ alias }: Pick<RunTarget, 'alias'>, line: ProgressLine, before: () => string): TargetProgress {
  const prefix = alias === undefined ? '' : `${alias}: `;
  return {
    show: (text) => line.show(`${before()}${prefix}${text}`),
    say: (text) => line.print(`${text}\n`),
  };
}

/** Of several targets, those of the part that --shard names; of one target, the part of its collections. */
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
