import type { FailOn } from '../finding/severity.js';
import type { Report } from './report.js';
import type { RunPart } from './run-part.js';

/** The file that findings are anchored to on a code host, since a cluster has no lines of its own. */
export interface AnchorOptions {
  /**
   * Path of the config file or the baseline, from the root of the repository, with "/" between folders. Null if there is no
   * file that findings could point to.
   */
  readonly anchor?: string | null;
}

export const DEFAULT_ANCHOR = 'mongolint.config.yaml';

/** How much room a report must leave for others in the same text, if its reader has a limit. */
export interface SharingOptions {
  /** Reports in the text, this one included; 1 if absent. */
  readonly sharedBy?: number;
}

/** How a report is rendered. Each format uses what concerns it. */
export interface RenderOptions extends AnchorOptions {
  /** Columns that a line may take. */
  readonly width: number;
  /** Terminal colors. */
  readonly color: boolean;
  /** Only the overview and the conclusion. */
  readonly quiet: boolean;
  /** Every name and every figure: nothing is cut short. */
  readonly verbose: boolean;
  /** How many of the costliest operations are shown. */
  readonly top: number;
  /** What fails the run, for formats whose readers know only passed and failed. */
  readonly failOn: FailOn;
  /** More warnings fail the run, too; null for no limit. */
  readonly maxWarnings: number | null;
  /** Address of a line of the source, with `{file}` and `{line}`; lines are no links if it is absent. */
  readonly codeUrl?: string;
  /** Files that have changed: their findings come first in a comment. */
  readonly changed?: readonly string[];
  /** The older report that this one is compared with, for formats that draw both. */
  readonly before?: Report;
  /** Which part of the targets the text is about; absent if it is about all. */
  readonly part?: RunPart;
  /** In an overview of many targets, the address of the page of one of them; null or absent if it has none. */
  readonly pageOf?: (alias: string) => string | null;
}

/** Used for every option of `renderReport` that is not given. */
export const RENDER_DEFAULTS = {
  width: 120,
  color: false,
  quiet: false,
  verbose: false,
  top: 5,
  failOn: 'error',
  maxWarnings: null,
} as const;
