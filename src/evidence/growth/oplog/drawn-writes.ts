/** A write to an array that was drawn evenly from the oplog, and what has become of the array. */
export interface DrawnWrite {
  /** As `ChangedDocument` keys it, with the `_id`. */
  readonly document: string;
  readonly place: string;
  /** In ms since 1970. */
  readonly at: number;
  /** `set`: elements were set up to index `elements` − 1; `length`: the whole array was written, or cut. */
  readonly kind: 'set' | 'length';
  readonly from: number;
  readonly elements: number;
  readonly createdAt: number | null;
  /** Its length when it was looked up; null if the document is gone. */
  readonly now: number | null;
}

/** What the draws were made from. */
export interface DrawnWindow {
  /** In ms since 1970. */
  readonly from: number;
  readonly to: number;
  readonly measuredAt: number;
  /** Share of the window's entries that were drawn. */
  readonly share: number;
  /** Present if the server's random cursor drew some of them: another run draws others. */
  readonly byChance?: true;
  /** Share of the arrays in drawn entries whose lengths were looked up. */
  readonly shareOfArrays: number;
  /** Share of its entries whose updates were not read, because they are too large or of an unknown form. */
  readonly unreadShare: number;
}
