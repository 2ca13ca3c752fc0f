import type { RemedyCommand } from '../finding.js';
import type { OperationKind } from '../workload/workload.js';
import type { Cost } from './explained.js';

/** A collection as it was built on the scratch server. */
export interface BuiltCollection {
  readonly namespace: string;
  /** Documents that were built. */
  readonly documents: number;
  /** Documents of the sample that they were made from. */
  readonly sampled: number;
  /** Documents at which the collection is judged: those that it has, or the expected ones. */
  readonly judged: number;
  /** Names of today's indexes beside that of `_id`. */
  readonly indexes: readonly string[];
  /** Those that lost an option or could not be built, and why. */
  readonly changed: readonly { readonly index: string; readonly how: string }[];
}

/** A command of a remedy that was run between the two replays. */
export interface RehearsedCommand extends RemedyCommand {
  readonly check: string;
  /** The scratch server's reason, if it refused it. */
  readonly refused?: string;
}

/** A recorded operation. */
export interface RehearsedOperation {
  readonly namespace: string;
  readonly kind: OperationKind;
  /** In words and without values. */
  readonly shape: string;
  readonly executions: number;
}

export interface RehearsedShape extends RehearsedOperation {
  /** Which part of it was run, as half a sentence; null if all of it. */
  readonly part: string | null;
  /** Executions on the scratch server, each with other constants; figures are their averages. */
  readonly runs: number;
  /** Null if one did not end within the time limit. */
  readonly before: Cost | null;
  readonly after: Cost | null;
  readonly worse: boolean;
}

/** What was not run, and why. */
export interface NotRehearsed extends RehearsedOperation {
  readonly reason: string;
}

/** What a rehearsal measured. Nothing in it is a value of a document. */
export interface Rehearsal {
  readonly linted: { readonly version: string };
  readonly scratch: { readonly version: string };
  /** Longest time of an execution, in ms. */
  readonly timeout: number;
  readonly collections: readonly BuiltCollection[];
  readonly commands: readonly RehearsedCommand[];
  /** The one that examined most before comes first. */
  readonly shapes: readonly RehearsedShape[];
  readonly notRun: readonly NotRehearsed[];
}
