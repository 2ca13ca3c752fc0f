/** The file that findings are anchored to on a code host, since a cluster has no lines of its own. */
export interface AnchorOptions {
  /** Path of the config file or the baseline, from the root of the repository, with "/" between folders. */
  readonly anchor?: string;
}

export const DEFAULT_ANCHOR = 'mongolint.config.yaml';

/** How much room a report must leave for others in the same text, if its reader has a limit. */
export interface SharingOptions {
  /** Reports in the text, this one included; 1 if absent. */
  readonly sharedBy?: number;
}
