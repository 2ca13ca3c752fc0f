import { formatCount, formatShare } from '../../format.js';
import { SOURCE_NAMES, windowText } from '../../workload/coverage/source-window.js';
import { queryPath } from '../../evidence/documents/path-steps.js';
import type { CollectionReads } from '../../workload/reads/collection-reads.js';
import { fieldUse, type FieldUse } from '../../workload/reads/field-use.js';

/** What the reads of a collection want of one field, where most want no more than a part of it. In executions. */
export interface PartReads {
  readonly reads: number;
  /** Those that leave the field out. */
  readonly without: number;
  /** Those that ask for a slice from the end, or the beginning, that most slices are from. */
  readonly ofSlice: number;
  /** The most elements that these ask for: the first so many, or the last so many where negative; null where none asks for a slice. */
  readonly elements: number | null;
  /** "profiler: 1,000 executions in 2 days". */
  readonly seenBy: string;
}

/** Fewer reads show no habit. Judgement. */
const FEWEST_READS = 20;
/** From this share of the reads on, those that want the whole field are the exception. Judgement. */
const MOST_OF_THE_READS = 0.5;
/** The signs of slices. */
const BEGINNING = 1;
const END = -1;

/**
 * What reads want of a field; null where most want the whole of it, or too few were seen.
 *
 * @param path as in the profile
 * @param seen the evidence `reads`, where there is any
 * @param tooMany elements from which a slice is no smaller part than the whole
 */
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

/** "Of 1,000 reads, 900 (90 %) ask for no more than the last 10 elements of `reviews` and 50 leave it out". */
function partReadsText(path: string, { reads, without, ofSlice, elements }: PartReads): string {
  const name = `\`${path}\``;
  const parts = [
    ...(elements === null
      ? []
      : [
          `${formatCount(ofSlice)} (${formatShare(ofSlice / reads)}) ask for no more than the ${elementsText(elements)} elements of ${name}`,
        ]),
    ...(without === 0
      ? []
      : [`${formatCount(without)} (${formatShare(without / reads)}) leave ${elements === null ? name : 'it'} out`]),
  ];
  return `Of ${formatCount(reads)} reads, ${parts.join(' and ')}`;
}

/** "last 10", "first 10". */
export function elementsText(elements: number): string {
  return `${elements < 0 ? 'last' : 'first'} ${formatCount(Math.abs(elements))}`;
}

/**
 * What reads that want no more than a part mean for a field that is too large: the subset pattern with what they ask for, or
 * the whole field elsewhere.
 */
export function partReadsAdvice(path: string, part: PartReads): string {
  const { elements } = part;
  const advice =
    elements === null
      ? 'keep none of it in the document, and read it from elsewhere where it is asked for'
      : `keep the ${elementsText(elements)} in the document and all others outside (subset pattern)`;
  return `${partReadsText(path, part)} (${part.seenBy}): ${advice}.`;
}

/** The figures for a finding's evidence, in executions and elements. */
export function partReadsFigures({ reads, without, ofSlice, elements, seenBy }: PartReads) {
  return { seenBy, all: reads, without, ofSlice, sliceElements: elements };
}
