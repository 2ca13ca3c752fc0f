import { defineCheck, type Collection, type IndexDescription } from '../src/check.js';
import { formatBytes, plural } from '../src/format.js';
import { shellStatement } from '../src/judgement/shell-statement.js';

export const emptyCollection = defineCheck({
  id: 'empty-collection',
  title: 'Empty collection',
  summary: 'a collection without documents that is not meant to be empty at times',
  appliesTo: ['collection'],
  needs: ['indexes', 'fieldTypes'],
  uses: ['storage', 'reads'],
  thresholds: {
    newFile: {
      default: 4 * 1024,
      unit: 'bytes',
      description: 'bytes on disk per shard, at most, of a collection that never held a document',
      source: 'measured on 6.0.5: 4 KB when created, 24 KB once it held a document',
    },
  },
  judge({ collection, indexes, fieldTypes, storage, reads }, { newFile }) {
    const expires = indexes.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    // Read to its end, and nothing there: metadata alone can be wrong.
    const isEmpty = fieldTypes.complete && fieldTypes.documents === 0;
    if (!isEmpty || collection.capped !== undefined || expires) return [];
    const { storageSize = null, totalIndexSize = null, size = null, shards = 0 } = storage ?? {};
    // Other engines have other files, and do not tell the size of the documents.
    const isFileKnown = storageSize !== null && size !== null;
    const isUntouched = isFileKnown && storageSize <= newFile * Math.max(1, shards);
    if (isUntouched && isDeclared(collection, indexes)) return [];
    // An application writes to it, and has used up what it held. Reads alone may be of a name that is misspelt.
    if ((reads?.writes ?? 0) > 0) return [];
    const freed = storageSize === null || totalIndexSize === null ? null : storageSize + totalIndexSize;
    const further = indexes.length - 1;
    return [
      {
        severity: 'info',
        confidence: isUntouched ? 'medium' : 'low',
        path: null,
        message:
          `The collection is empty${!isFileKnown ? '' : isUntouched ? ', and its file has the size of one that never held a document' : ', but it once held documents'}.` +
          `${further > 0 ? ` It has ${plural(further, 'index', 'indexes')} in addition to the one on _id.` : ''}`,
        evidence: {
          source: storage === undefined ? 'find and listIndexes' : 'find, collStats and listIndexes',
          window: 'the moment of this run',
          documents: 0,
          ...(storageSize !== null && { storageSize }),
          ...(totalIndexSize !== null && { totalIndexSize }),
          indexes: indexes.length,
        },
        remedy: {
          steps: [
            {
              text: 'If it is a queue or is filled at times, keep it, and suppress this finding. Otherwise, ask which release still needs it.',
            },
            {
              text:
                `Drop it if it is still empty. This cannot be undone. It frees ${freed === null ? '' : `${formatBytes(freed)} and `}` +
                `${plural(indexes.length + 1, 'open file')}.`,
              code: `${shellStatement(collection.namespace, 'countDocuments')} === 0 &&\n  ${shellStatement(collection.namespace, 'drop')}`,
            },
          ],
        },
      },
    ];
  },
});

/** An index or a validator was made before any document: a release declares it, and makes it again once it is dropped. */
function isDeclared({ validator }: Collection, indexes: readonly IndexDescription[]): boolean {
  return indexes.length > 1 || (validator !== undefined && Object.keys(validator).length > 0);
}
