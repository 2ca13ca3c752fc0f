import { namesOfPart, partText, type RunPart } from '../run-part.js';
import type { RunTarget } from './run-settings.js';

/** The targets of a run. */
export interface TargetsOfRun {
  readonly targets: readonly RunTarget[];
  /** Which part of the targets they are; absent if they are all. */
  readonly part?: RunPart;
  /** What to tell about it; null if there is nothing. */
  readonly note: string | null;
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
