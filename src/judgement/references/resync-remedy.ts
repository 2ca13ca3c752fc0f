import type { Document } from 'mongodb';
import type { Remedy, RemedyCommand } from '../../finding.js';
import { stepsOf } from '../../finding/remedy.js';
import { databaseOf, nameOf } from '../../namespace.js';
import { isExpressible, queryPath } from '../../profile/path-steps.js';
import type { ComparedReference, CopiedField, CopyFamily } from '../../references/reference-integrity.js';
import { outsideArrays } from '../arrays/array-elements.js';
import { aggregation, REFERRED_TO, sourceStages, type WrittenCollection } from './dangling-remedy.js';

/** `$type` alone would look into arrays. */
const IS_COMPARED = {
  $type: ['string', 'date', 'objectId', 'binData'] satisfies CopyFamily[],
  $not: { $type: 'array' },
};

/**
 * How to bring copies in line with their source: by a command if they are shown to be changed along with it (`isKeptUp`); else
 * people decide.
 */
export function resyncRemedy(
  reference: ComparedReference,
  copy: CopiedField,
  { isKeptUp, isSharded }: WrittenCollection & { readonly isKeptUp: boolean },
): Remedy {
  const { namespace, target, furtherTargets } = reference;
  const { path, sourcePath } = copy;
  const stages = isSharded || furtherTargets.length > 0 ? null : differingStages(reference, copy);
  const decide = isKeptUp
    ? []
    : [
        `Decide whether \`${path}\` follows \`${sourcePath}\` of ${target}. If it records how things were, as the name on an invoice does, leave it, and suppress this finding with that reason.`,
      ];
  const prevent = `To keep them equal, change the source and its copies in one transaction, or follow a change stream on ${target}. A field that changes often is better joined than copied.`;
  if (stages === null) {
    const byApplication = `Set \`${path}\` from \`${sourcePath}\` of ${target}, document by document in the application.`;
    return { steps: stepsOf(...decide, byApplication, prevent) };
  }
  const pipeline = [...stages, writingStage(reference, copy)];
  // Plain JSON: it holds names and operators, and no value.
  const command = { aggregate: nameOf(namespace), pipeline, cursor: {} } as unknown as RemedyCommand['command'];
  const text = `${isKeptUp ? 'Set' : 'If it does, set'} the differing copies from their source. This reads all of ${namespace} and looks up each reference. What a copy held before is then gone.`;
  return {
    steps: stepsOf(
      ...decide,
      isKeptUp
        ? { text, command: { db: databaseOf(namespace), command } }
        : { text, code: aggregation(namespace, pipeline) },
      {
        text: 'Check: this counts the copies that still differ, and returns nothing if none does.',
        code: aggregation(namespace, [...stages, { $count: 'differing' }]),
      },
      prevent,
    ),
  };
}

/**
 * The differing copies with the value of their source. Null in arrays, whose elements `$merge` cannot address, and if the
 * server cannot convert the reference or name the fields.
 */
function differingStages(reference: ComparedReference, { path, sourcePath }: CopiedField): Document[] | null {
  const stages = reference.isInArray ? null : sourceStages(reference, nameOf(reference.target));
  if (stages === null || ![path, sourcePath].every(isExpressible)) return null;
  const [copy, source] = [queryPath(path), `${REFERRED_TO}.${sourcePath}`];
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
  ];
}

function writingStage({ namespace }: ComparedReference, { path }: CopiedField): Document {
  const copy = queryPath(path);
  // Only what is as it was when it was compared: somebody may write meanwhile.
  const value = { $cond: [{ $eq: [`$${copy}`, '$$new.copy'] }, '$$new.value', `$${copy}`] };
  return {
    $merge: {
      into: nameOf(namespace),
      on: '_id',
      whenMatched: [{ $set: { [copy]: value } }],
      whenNotMatched: 'discard',
    },
  };
}
