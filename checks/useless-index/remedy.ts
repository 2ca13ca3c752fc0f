import type { Collection, IndexDescription, RemedyStep } from '../../src/check.js';
import { hideIndexCommand } from '../../src/inventory/index-key.js';
import { AFTER_A_CYCLE, dropHiddenStep, hidingSteps } from '../../src/judgement/indexes/index-steps.js';
import { SCAN_COST, shellCommand, shellScan } from '../../src/judgement/shell-statement.js';
import { stepsOf } from '../../src/remedy.js';
import type { Fault } from './fault.js';

/** Of several in a database whose fields a person has to look at. */
export const ADVICE_FOR_ALL: readonly RemedyStep[] = stepsOf(
  'Find out of each whether its first field was renamed, is misspelt or is yet to be written, and whether a query needs it. With --include and one collection, mongolint prints how.',
  "Otherwise hide the index. The server keeps it up to date, so unhiding it takes no time. Drop it if nothing has become slower after a full cycle of the application's jobs, such as a month.",
);

export function stepsFor(collection: Collection, index: IndexDescription, fault: Fault): RemedyStep[] {
  if (fault.values === 0 || fault.isNull) return noFieldSteps(collection, index, fault);
  if (fault.values !== null) return fewValuesSteps(collection, index);
  return hidingSteps(collection, index, 'some days,');
}

function fewValuesSteps(collection: Collection, index: IndexDescription): RemedyStep[] {
  return stepsOf(
    'If queries search for this field and others together, create an index that begins with the others. If they search for one value that will become rare, create a partial index for it.',
    hidingStep(collection, index),
    dropHiddenStep(collection, index, AFTER_A_CYCLE),
  );
}

function noFieldSteps(collection: Collection, index: IndexDescription, { field, isNull, isSure }: Fault): RemedyStep[] {
  const isThere = `{ ${JSON.stringify(field)}: ${isNull ? '{ $ne: null }' : '{ $exists: true }'} }`;
  const question = isNull
    ? `Find out whether \`${field}\` is yet to be set, and whether queries look for null in it.`
    : `Find out whether \`${field}\` was renamed, is misspelt in the index, or is yet to be written.`;
  const answer = isNull ? 'it is null or missing in all documents' : 'no document has it';
  const hide = hidingStep(collection, index);
  return [
    {
      text: `${question}${isSure ? '' : ` No result means that ${answer}. ${SCAN_COST}`}`,
      ...(!isSure && {
        code: `${shellScan(collection.namespace, isThere, '{ _id: 1 }')}.hint({ $natural: 1 }).limit(1)`,
      }),
    },
    isSure && !isNull ? { text: hide.text, command: hideIndexCommand(collection, index), givesUp: [index.name] } : hide,
    dropHiddenStep(collection, index, AFTER_A_CYCLE),
  ];
}

function hidingStep(collection: Collection, index: IndexDescription): RemedyStep {
  const { db, command } = hideIndexCommand(collection, index);
  return {
    text: `Otherwise hide \`${index.name}\`. The server keeps it up to date, so unhiding it takes no time. A query that names it in hint() fails.`,
    code: shellCommand(db, command),
    givesUp: [index.name],
  };
}
