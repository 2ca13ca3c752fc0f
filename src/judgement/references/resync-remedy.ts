import type { Document } from 'mongodb';
import type { ComparedReference, CopiedField, CopyFamily } from '../../evidence/references/reference-integrity.js';
import type { TextRemedy } from '../../finding.js';
import { outsideArrays } from '../arrays/outside-arrays.js';
import { isExpressible, queryPath } from '../../evidence/documents/path-steps.js';
import type { WrittenCollection } from './dangling-remedy.js';
import { databaseOf, nameOf } from '../../namespace.js';
import { aggregation, REFERRED_TO, sourceStages } from './source-stages.js';

/** The types in which copies are compared; `$type` alone would look into arrays. */
const IS_COMPARED = {
  $type: ['string', 'date', 'objectId', 'binData'] satisfies CopyFamily[],
  $not: { $type: 'array' },
};

/** What the remedy of a copy is written for. */
export interface ResyncOptions extends WrittenCollection {
  /** True where the copies are shown to be changed along with their source. */
  readonly isKeptUp: boolean;
}

/** How to bring copies in line with their source: as a command where they are meant to be, for people to decide elsewhere. */
export function resyncRemedy(
  reference: ComparedReference,
  copy: CopiedField,
  { isKeptUp, isSharded }: ResyncOptions,
): TextRemedy {
  const { namespace, target, furtherTargets } = reference;
  const { path, sourcePath } = copy;
  const pipeline = resyncPipeline(reference, copy);
  const lasting =
    `So that they stay equal, change the source and its copies in one transaction, or carry changes over from a change stream on ${target}; ` +
    `a copy of a field that changes often is better joined.`;
  const isRunnable = pipeline !== null && !isSharded && furtherTargets.length === 0;
  if (!isRunnable) {
    return {
      text: `${isKeptUp ? '' : `${decide(path, sourcePath, target)} `}Set \`${path}\` anew from \`${sourcePath}\` of ${target}, document by document in the application. ${lasting}`,
    };
  }
  if (!isKeptUp)
    return { text: `${decide(path, sourcePath, target)} If it does: ${aggregation(namespace, pipeline)}. ${lasting}` };
  const command = {
    aggregate: nameOf(namespace),
    pipeline: pipeline as NonNullable<TextRemedy['commands']>[number]['command'][string],
    cursor: {},
  };
  return {
    text: `Set the differing copies anew from their source; what they said before is then gone. ${lasting}`,
    commands: [{ db: databaseOf(namespace), command }],
  };
}

function decide(path: string, sourcePath: string, target: string): string {
  return (
    `Decide whether \`${path}\` follows \`${sourcePath}\` of ${target}. If it says how things were, as the name on an invoice does, leave it, ` +
    `and suppress this finding with that reason.`
  );
}

/** Sets each differing copy; null in arrays, whose elements `$merge` does not tell apart, and where the server can't convert the reference or name the fields. */
function resyncPipeline(reference: ComparedReference, { path, sourcePath }: CopiedField): Document[] | null {
  const stages = reference.isInArray ? null : sourceStages(reference, nameOf(reference.target));
  if (stages === null || ![path, sourcePath].every(isExpressible)) return null;
  const [copy, source] = [queryPath(path), `${REFERRED_TO}.${sourcePath}`];
  // Only what is as it was when it was compared: somebody may write meanwhile.
  const anew = { $cond: [{ $eq: [`$${copy}`, '$$new.copy'] }, '$$new.value', `$${copy}`] };
  return [
    ...stages,
    { $unwind: `$${REFERRED_TO}` },
    {
      $match: {
        ...outsideArrays(copy),
        ...outsideArrays(source),
        [copy]: IS_COMPARED,
        [source]: IS_COMPARED,
        $expr: { $ne: [`$${copy}`, `$${source}`] },
      },
    },
    { $project: { copy: `$${copy}`, value: `$${source}` } },
    {
      $merge: {
        into: nameOf(reference.namespace),
        on: '_id',
        whenMatched: [{ $set: { [copy]: anew } }],
        whenNotMatched: 'discard',
      },
    },
  ];
}
