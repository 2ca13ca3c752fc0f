/** Where a report for a code host points its findings to: a cluster has no lines of its own. */
export interface AnchorOptions {
  /** Path of the config file or the baseline, from the root of the repository, with "/" between folders. */
  readonly anchor?: string;
}

/** The file that findings are anchored to unless another is given. */
export const DEFAULT_ANCHOR = 'mongolint.config.yaml';

/** What a report must leave to others that stand in one text with it, where a reader takes no more than so much. */
export interface SharingOptions {
  /** Reports in the text, this one included; 1 where absent. */
  readonly sharedBy?: number;
}
