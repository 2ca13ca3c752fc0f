import { formatBytes, formatCount, formatDuration, formatShare, plural } from '../../src/format.js';
import type { ArrayElements } from '../../src/judgement/arrays/array-elements.js';
import { type ArrayBound, FEWEST_ARRAYS } from '../../src/judgement/arrays/array-shape.js';
import type { WriteBound } from '../../src/judgement/arrays/write-bound.js';
import { onlyIf } from '../../src/judgement/only-if.js';
import type { ArrayProfile } from '../../src/profile/document-profile.js';
import { type ArrayLengthLimits, arrayLengthLines, type FaultyArrayShape } from './faulty-array-shape.js';

/** Arrays from which a finding can be trusted in full. */
export const ARRAYS_FOR_HIGH = 100;

type Kind = ArrayElements['kind'];

/** Why an array over a line is excused: "up to 3,600 numbers, fixed length". */
export function exemptText(array: ArrayProfile, kind: Kind, bound: ArrayBound, writes: WriteBound | null): string {
  const noun = { numbers: 'number', strings: 'string', dates: 'date', arrays: 'array' }[kind as string] ?? nounOf(kind);
  return `up to ${plural(array.lengths.max, noun)}, ${boundText(array, bound, writes)}`;
}

/** What bounds an array, as half a sentence: "capped at 100". */
function boundText({ lengths, siblings }: ArrayProfile, bound: ArrayBound, writes: WriteBound | null): string {
  const kept = writes?.kind === 'capped' ? writes.at : null;
  const texts: Readonly<Record<ArrayBound, string>> = {
    'fixed-length': 'fixed length',
    'few-lengths': `${formatCount(lengths.distinct)} different lengths`,
    cap: `capped at ${formatCount(lengths.max)}`,
    'write-cap':
      kept === null ? 'recorded writes stop at a length' : `recorded writes keep at most ${formatCount(kept)}`,
    text: 'the lines of a text, which writes set as a whole',
    'narrow-spread': 'lengths hardly differ',
    'separate-group': 'the long ones hardly differ in length',
    coordinates: 'coordinates of a shape',
    'limit-field': `limited by \`${siblings?.cap}\``,
    period: `all within ${formatDuration(siblings?.period?.milliseconds ?? 0)} of \`${siblings?.period?.field}\``,
    recording: `one recording, as long as \`${siblings?.sameLengthAs}\``,
  };
  return texts[bound];
}

export function messageOf(
  name: string,
  { bytesPerDocument, shareOfDocument }: ArrayProfile,
  { kind, positions, floats }: ArrayElements,
  { counts, countedPer, dominant, cappedAt }: FaultyArrayShape,
  limits: ArrayLengthLimits,
): string {
  const noun = nounOf(kind);
  const share = formatShare(shareOfDocument.mean);
  const size = formatBytes(bytesPerDocument.max);
  if (counts.count < FEWEST_ARRAYS) {
    const seen = counts.count === 1 ? 'the only array' : `one of only ${formatCount(counts.count)} arrays`;
    return (
      `\`${name}\` holds ${plural(counts.max, noun)} (${size}), ${share} of the document. It is ${seen} in the sample: too few to ` +
      'show a bound.'
    );
  }
  const p99 = counts.count >= ARRAYS_FOR_HIGH ? `p99 ${formatCount(counts.p99)}, ` : '';
  const per = countedPer === 'document' ? ' per document' : '';
  const bound =
    cappedAt === undefined
      ? 'No visible bound.'
      : `It is capped at ${formatCount(cappedAt)}, beyond the ${formatCount(arrayLengthLines({ kind }, limits).warning)} from which the literature advises another collection.`;
  return [
    `\`${name}\`: median ${formatCount(counts.median)}, ${p99}max ${plural(counts.max, noun)}${per} (${size}). ${bound}`,
    ...onlyIf(dominant, `It makes up ${share} of an average document, which grows with it.`),
    ...onlyIf(positions, 'The points of one shape are bounded; a track that is still recorded is not.'),
    ...onlyIf(floats && !positions, 'One signal or vector is bounded; a series that is still appended to is not.'),
  ].join(' ');
}

function nounOf(kind: Kind): string {
  return { documents: 'embedded document', references: 'reference' }[kind as string] ?? 'element';
}
