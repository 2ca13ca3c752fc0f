import type { RemedyStep } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { isObjectShape, type ObjectShape, fieldsOf } from '../../src/workload/shapes/shape.js';
import type { OperationShape } from '../../src/workload/workload.js';

/** What a write adds, to an array or to an object whose keys are data. */
export interface Written {
  readonly path: string;
  readonly adds: 'elements' | 'keys';
}

/** What a write does, as half a sentence, and why that is a fault. */
export function addsText({ path, adds }: Written): string {
  return adds === 'keys'
    ? `writes keys that are data below \`${path}\`: the document gets one for each value, and no index can hold them.`
    : `adds to \`${path}\`, and no known write caps or empties it. The data do not show how long it gets.`;
}

/** Whether an update by operators may empty, replace or cap what lies at a path. */
export function shortens(update: ObjectShape, path: string): boolean {
  const capped = fieldsOf(update['$push']).filter(([, operand]) => isObjectShape(operand) && '$slice' in operand);
  const shortened = ['$pull', '$pullAll', '$pop', '$set', '$unset'].flatMap((operator) => fieldsOf(update[operator]));
  return [...capped, ...shortened].some(([written]) => {
    const name = withoutPositions(written);
    return name === path || path.startsWith(`${name}.`) || path.startsWith(`${name}[]`);
  });
}

/** The same of a recorded operation. */
export function mayShorten({ update, kind }: Pick<OperationShape, 'update' | 'kind'>, path: string): boolean {
  if (update === undefined || kind === 'delete') return false;
  return !isObjectShape(update) || shortens(update, path);
}

/** `threads.$.posts` and `threads.0.posts` are `threads[].posts`. */
export function withoutPositions(path: string): string {
  return path.replaceAll(/\.(?:\$(?:\[\w*\])?|\d+)(?=\.|$)/g, '[]');
}

/** What to do in place of it. */
export function cappingSteps(namespace: string, path: string, adds: Written['adds']): RemedyStep[] {
  if (adds === 'keys')
    return stepsOf(
      `Keep the key as a value: an array of \`{ key, value }\` below \`${path}\` if there are at most a few dozen, or else a document for each in a collection of its own.`,
    );
  return stepsOf(
    {
      text: 'If only the newest are read, cap the array with each write:',
      code: shellStatement(
        namespace,
        'updateOne',
        '<filter>',
        `{ $push: { ${JSON.stringify(path)}: { $each: [<element>], $slice: -100 } } }`,
      ),
    },
    'If all are kept, make each element a document of its own collection that refers to this one. If something else bounds their number, suppress this finding and say what.',
  );
}
