import { formatCount, formatShare } from '../../format.js';
import { SOURCE_NAMES, windowText } from '../../workload/coverage/source-window.js';
import { queryPath } from '../../profile/path-steps.js';
import type { CollectionReads } from '../../workload/reads/collection-reads.js';
import { fieldUse, type FieldUse } from './field-use.js';

/** The part of a field that reads return, if most return no more than a part. In executions. */
export interface PartReads {
  readonly reads: number;
  readonly without: number;
  /** Slices from the end, or from the beginning, whichever are more frequent. */
  readonly ofSlice: number;
  /** The longest of these slices: the first so many elements, or the last so many if negative; null without any. */
  readonly elements: number | null;
  readonly seenBy: string;
}

/** Fewer reads show no habit: judgement. */
const FEWEST_READS = 20;
/** From this share on, reads of the whole field are the exception: judgement. */
const MOST_OF_THE_READS = 0.5;
const BEGINNING = 1;
const END = -1;

/** @param tooMany elements from which a slice is no smaller than the whole */
export function partReads(path: string, seen: CollectionReads | undefined, tooMany: number): PartReads | null {
  if (seen === undefined || seen.executions < FEWEST_READS) return null;
  const { source, coverage, executions, reads } = seen;
  const uses = reads.map((read) => ({ use: fieldUse(queryPath(path), read), executions: read.executions }));
  const executionsOf = (isWanted: (use: FieldUse) => boolean) =>
    uses.reduce((sum, each) => (isWanted(each.use) ? sum + each.executions : sum), 0);
  const isFrom = (end: number) => (use: FieldUse) =>
    typeof use === 'number' && Math.sign(use) === end && Math.abs(use) < tooMany;
  const end = executionsOf(isFrom(BEGINNING)) > executionsOf(isFrom(END)) ? BEGINNING : END;
  const [without, ofSlice] = [executionsOf((use) => use === 'none'), executionsOf(isFrom(end))];
  if (without + ofSlice < MOST_OF_THE_READS * executions) return null;
  const slices = uses.filter(({ use }) => isFrom(end)(use)).map(({ use }) => Math.abs(use as number));
  return {
    reads: executions,
    without,
    ofSlice,
    elements: slices.length === 0 ? null : end * Math.max(...slices),
    seenBy: `${SOURCE_NAMES[source]}: ${windowText(executions, coverage)}`,
  };
}

function partReadsText(path: string, { reads, without, ofSlice, elements }: PartReads): string {
  const name = `\`${path}\``;
  const part = (count: number) => `${formatCount(count)} (${formatShare(count / reads)})`;
  const slices =
    elements === null ? [] : [`${part(ofSlice)} return at most the ${elementsText(elements)} elements of ${name}`];
  const excluding = without === 0 ? [] : [`${part(without)} exclude ${elements === null ? name : 'it'}`];
  return `Of ${formatCount(reads)} reads, ${[...slices, ...excluding].join(', ')}`;
}

export function elementsText(elements: number): string {
  return `${elements < 0 ? 'last' : 'first'} ${formatCount(Math.abs(elements))}`;
}

export function partReadsAdvice(path: string, part: PartReads): string {
  const advice =
    part.elements === null
      ? 'Move it out of the document, and read it only when it is needed.'
      : `Keep the ${elementsText(part.elements)} in the document and all others outside (subset pattern).`;
  return `${partReadsText(path, part)} (${part.seenBy}). ${advice}`;
}

export function partReadsFigures({ reads, without, ofSlice, elements, seenBy }: PartReads) {
  return { seenBy, all: reads, without, ofSlice, sliceElements: elements };
}
