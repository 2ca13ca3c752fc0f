import type { Remedy } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatBytes } from '../../src/format.js';
import { SCAN_COST, shellScan, shellStatement } from '../../src/judgement/shell-statement.js';

/** @param ids of all documents of so many bytes, so that nobody needs to search for them; empty if not known */
export function remedyFor(namespace: string, path: string | null, bytes: number, ids: readonly string[] = []): Remedy {
  const part = path === null ? 'the part that grows' : `\`${path}\``;
  const size = '{ bytes: { $bsonSize: "$$ROOT" } }';
  const known = `{ _id: { $in: EJSON.parse(${JSON.stringify(`[${ids.join(', ')}]`)}) } }`;
  const searched = `{ $expr: { $gte: [{ $bsonSize: "$$ROOT" }, ${bytes}] } }`;
  return {
    steps: stepsOf(
      ids.length > 0
        ? {
            text: `List the documents of ${formatBytes(bytes)} or more, by their _id.`,
            code: shellStatement(namespace, 'find', known, size),
          }
        : {
            text: `List the documents of ${formatBytes(bytes)} or more. ${SCAN_COST}`,
            code: shellScan(namespace, searched, size),
          },
      `Move ${part} out of these documents: elements of an array to their own collection, with the _id of the parent; files and long ` +
        'texts to GridFS or an object store.',
      'Limit the size of what stays, so that it cannot grow back. Check: the list is empty.',
    ),
  };
}
