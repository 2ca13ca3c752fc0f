/** Documents that an execution returned when it was recorded. */
export interface RecordedSize {
  readonly average: number;
  /** The same share of a collection that is built larger or smaller than it was. */
  readonly scaled: number;
}

/** Sizes of results that are alike. Judgement: by half, or by a document. */
const FACTOR = 1.5;
const SLACK = 1;

/** Whether two results are of one size. */
export function isLikeSize(one: number, other: number): boolean {
  const [less, more] = [Math.min(one, other), Math.max(one, other)];
  return more <= less * FACTOR || more - less <= SLACK;
}

/** Whether a result is of the size that was recorded, or between that and its share of what was built. */
export function isLikeRecorded(returned: number, { average, scaled }: RecordedSize): boolean {
  const [least, most] = [Math.min(average, scaled), Math.max(average, scaled)];
  return isLikeSize(Math.min(Math.max(returned, least), most), returned);
}

/** So many of those that were tried that together they come nearest to the recorded size, on average. */
export function nearest<T>(
  tried: readonly T[],
  count: number,
  sizeOf: (one: T) => number,
  { average }: RecordedSize,
): readonly T[] {
  const left = [...tried];
  const chosen: T[] = [];
  let sum = 0;
  while (chosen.length < count && left.length > 0) {
    const wanted = average * (chosen.length + 1) - sum;
    const distances = left.map((one) => Math.abs(sizeOf(one) - wanted));
    const [best] = left.splice(distances.indexOf(Math.min(...distances)), 1);
    chosen.push(best as T);
    sum += sizeOf(best as T);
  }
  return chosen;
}

/** "240", "2.5". */
export function sizeText(size: number): string {
  return size < 10 ? String(Number(size.toFixed(1))) : String(Math.round(size));
}
