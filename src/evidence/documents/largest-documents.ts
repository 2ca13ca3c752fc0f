/** The evidence `largestDocuments`: what is known of a collection's largest documents beyond the sample. */
export interface LargestDocuments {
  /** Bytes of the largest document that was seen, whether by the sample or by the probe. */
  readonly maximumBytes: number;
  /** Where `maximumBytes` comes from. */
  readonly source: 'sample' | 'probe';
  /**
   * Bytes that `$collStats` counts and the sample cannot account for: `size − count × mean sampled size`, less three
   * standard errors of that mean; 0 where nothing is missing.
   */
  readonly unseenBytes: number;
  /** The bounded search for documents above a size, where `unseenBytes` called for one. */
  readonly probe:
    | { readonly state: 'not-needed' }
    /** `documents` are those at or above `thresholdBytes`, largest first, at most 10; `atLeast` says there may be more. */
    | {
        readonly state: 'complete';
        readonly thresholdBytes: number;
        readonly sizes: readonly number[];
        readonly atLeast: boolean;
      }
    /** The search was not made or not finished; `detail` says why. */
    | { readonly state: 'cut-short'; readonly thresholdBytes: number; readonly detail: string };
  /** `_id`s of the largest documents as relaxed Extended JSON, only with `--show-values`. */
  readonly ids?: readonly string[];
}
