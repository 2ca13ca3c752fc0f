export interface StoredBytes {
  readonly documents: number;
  readonly bytes: number | null;
}

/** Of the bytes that arrays are said to have gained, the share that the collection must have gained itself. */
const LEAST_SHARE = 1 / 2;
/** The documents that were deleted may have been so many times larger than the mean one. */
const LARGEST_DELETED = 4;

/** How many of the last runs found as many documents and bytes as there are now: since then, no array has grown. */
export function runsUnchanged(earlier: readonly StoredBytes[], now: StoredBytes): number {
  if (now.bytes === null) return 0;
  const changed = earlier.findLastIndex(({ documents, bytes }) => documents !== now.documents || bytes !== now.bytes);
  return earlier.length - 1 - changed;
}

/** @param gone share of the documents that may have been deleted since  @param claimed bytes that arrays are said to have gained */
export function areBytesMissing(before: number | null, now: number | null, gone: number, claimed: number): boolean {
  if (before === null || now === null) return false;
  return now - before + LARGEST_DELETED * gone * before < LEAST_SHARE * claimed;
}
