export const SIZE_SOURCES = ['expect', 'production'] as const;

export type SizeSource = (typeof SIZE_SOURCES)[number];

/** What a collection is expected to hold in production, and how often a day each kind of operation on it runs there. */
export interface ExpectedSize {
  readonly documents?: number;
  readonly executionsPerDay?: number;
  readonly from: SizeSource;
}
