export interface StoredBytes {
  readonly documents: number;
  readonly bytes: number | null;
}

const LEAST_SHARE_OF_CLAIMED = 1 / 2;
const LARGEST_DELETED_TO_MEAN = 4;

/** How many of the last runs found as many documents and bytes as there are now: since then, no array has grown. */
export function runsUnchanged(earlier: readonly StoredBytes[], now: StoredBytes): number {
  if (now.bytes === null) return 0;
  const changed = earlier.findLastIndex(({ documents, bytes }) => documents !== now.documents || bytes !== now.bytes);
  return earlier.length - 1 - changed;
}

/** @param gone share of the documents that may have been deleted since  @param claimed bytes that arrays are said to have gained */
export function areBytesMissing(before: number | null, now: number | null, gone: number, claimed: number): boolean {
  if (before === null || now === null) return false;
  return now - before + LARGEST_DELETED_TO_MEAN * gone * before < LEAST_SHARE_OF_CLAIMED * claimed;
}
