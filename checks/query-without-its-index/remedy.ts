import type { IndexDescription, IndexProposal, RemedyStep } from '../../src/check.js';
import { formatIndexKey } from '../../src/inventory/index-key.js';
import { indexCost } from '../../src/judgement/indexes/index-cost.js';
import { indexSteps } from '../../src/judgement/indexes/index-steps.js';
import type { JoinedCollection } from '../../src/judgement/joins/joined-cluster.js';

const KEEP = 'Production has it, so nothing is built there. Drop it only once no query needs it.';

/** What to do about an index of production that is missing here. */
export function lostIndexRemedy(
  index: IndexDescription,
  hiddenHere: IndexDescription | null,
  known: JoinedCollection,
): { readonly steps: readonly RemedyStep[]; readonly proposes: readonly IndexProposal[] } {
  const { collection, storage } = known;
  if (hiddenHere === null && !isPlain(index))
    return {
      steps: [
        {
          text: `Keep the index \`${index.name}\` on ${formatIndexKey(index.key)} of ${collection.namespace}, with its options in production. ${KEEP}`,
        },
      ],
      proposes: [],
    };
  const cost = hiddenHere === null ? indexCost(index, known, []) : null;
  const proposal: IndexProposal = {
    namespace: collection.namespace,
    action: hiddenHere === null ? 'create' : 'unhide',
    name: hiddenHere?.name ?? index.name,
    key: { ...index.key },
    options: index.collation === undefined ? {} : { collation: index.collation },
    documents: storage.present ? storage.value.count : null,
    supersedes: [],
    ...(cost !== null && { cost }),
  };
  return { steps: indexSteps([proposal], KEEP), proposes: [proposal] };
}

/** Its key and its collation are all that there is: the file does not hold the values of filters. */
function isPlain({ unique, sparse, partialFilterExpression, expireAfterSeconds, key }: IndexDescription): boolean {
  const isOrdered = Object.values(key).every((kind) => typeof kind === 'number');
  return !unique && !sparse && partialFilterExpression === undefined && expireAfterSeconds === undefined && isOrdered;
}
