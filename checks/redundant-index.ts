import { defineCheck, type Collection, type DocumentProfile } from '../src/check.js';
import {
  formatBytes,
  formatIndexKey,
  hideIndexCommand,
  redundantIndexes,
  shellCollection,
  type RedundantIndex,
} from '../src/helpers.js';

const RELATIONS: Readonly<Record<RedundantIndex['relation'], string>> = {
  prefix: 'begins with the same fields',
  'reversed prefix': 'begins with the same fields in the opposite direction, which the server reads backwards',
  'same key': 'has the same fields',
};

export const redundantIndex = defineCheck({
  id: 'redundant-index',
  title: 'Redundant index',
  summary: 'an index whose key is the beginning of the key of another one that serves the same queries',
  appliesTo: ['collection'],
  needs: ['indexes', 'documents', 'storage'],
  thresholds: {
    warning: {
      default: 0,
      unit: 'bytes',
      description: 'bytes of the redundant index from which a warning is given instead of an info',
      source: 'MongoDB manual, "Unnecessary Indexes", and Atlas, "Review Drop Index Recommendations": at any size',
    },
  },
  judge({ collection, indexes, documents, storage }, { warning }) {
    const arrays = arrayPaths(documents.profile);
    const shardKey = collection.sharding === undefined ? null : collection.sharding.key.map(({ path }) => path);
    const isArray = (path: string) => arrays.some((array) => path === array || path.startsWith(`${array}.`));
    return redundantIndexes(indexes, { isArray, shardKey }).map(({ index, servedBy, relation }) => {
      const bytes = storage.indexSizes[index.name] ?? 0;
      return {
        severity: bytes >= warning ? 'warning' : 'info',
        confidence: 'high',
        path: index.name,
        message:
          `Index \`${index.name}\` on ${formatIndexKey(index.key)} does nothing that \`${servedBy.name}\` does not do: ` +
          `${formatIndexKey(servedBy.key)} ${RELATIONS[relation]}. It takes ${formatBytes(bytes)} and is written with every insert.`,
        evidence: {
          source: 'listIndexes and collStats',
          window: `all ${indexes.length} indexes`,
          key: { ...index.key },
          servedBy: servedBy.name,
          servedByKey: { ...servedBy.key },
          relation,
          indexBytes: bytes,
          servedByBytes: storage.indexSizes[servedBy.name] ?? 0,
        },
        remedy: remedyOf(collection, { index, servedBy, relation }),
      };
    });
  },
});

/** Dotted paths, as index keys write them, at which documents hold arrays. */
function arrayPaths({ paths }: DocumentProfile): string[] {
  return paths.filter(({ array }) => array !== undefined).map(({ path }) => path.replaceAll('[]', ''));
}

function remedyOf(collection: Collection, { index, servedBy }: RedundantIndex) {
  return {
    text:
      `Hide \`${index.name}\` first: queries then use \`${servedBy.name}\`, and it can be shown again at once. A query that names it in hint() ` +
      `fails as soon as it is hidden, so let it name \`${servedBy.name}\` before. If nothing has become slower after some days, drop it: ` +
      `\`${shellCollection(collection.namespace)}.dropIndex(${JSON.stringify(index.name)})\`.`,
    commands: [hideIndexCommand(collection, index)],
  };
}
