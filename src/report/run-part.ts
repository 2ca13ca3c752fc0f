/** One of several runs that share the work: part 2 of 8. */
export interface RunPart {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** More jobs than anybody starts at once; the cost of sharing out grows with it. */
const MOST_PARTS = 1_000;

/** Reads "2/8". Null if it is nothing of the kind. */
export function runPart(text: string): RunPart | null {
  const [, number = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  return number >= 1 && number <= of && of <= MOST_PARTS ? { number, of } : null;
}

export function partText({ number, of }: RunPart): string {
  return `part ${number} of ${of}`;
}
