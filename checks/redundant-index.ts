import { type Collection, defineCheck, type DocumentProfile, type RemedyStep } from '../src/check.js';
import { formatBytes } from '../src/format.js';
import { formatIndexKey, hideIndexCommand } from '../src/inventory/index-key.js';
import { IDLE_INDEX_WARNING, indexBytesAt } from '../src/judgement/indexes/index-cost.js';
import { dropHiddenStep } from '../src/judgement/indexes/index-steps.js';
import { type RedundantIndex, redundantIndexes } from '../src/judgement/indexes/redundant-indexes.js';
import { judgedAt, judgedAtText, judgedSize } from '../src/judgement/judged-size.js';
import { ownValue } from '../src/plain.js';

const RELATIONS: Readonly<Record<RedundantIndex['relation'], string>> = {
  prefix: 'begins with the same fields',
  'reversed prefix': 'begins with the same fields in the opposite direction, and the server reads it backwards',
  'same key': 'has the same fields',
};

export const redundantIndex = defineCheck({
  id: 'redundant-index',
  title: 'Redundant index',
  summary: 'an index whose key begins the key of another one, which serves the same queries',
  appliesTo: ['collection'],
  needs: ['indexes'],
  uses: ['documents', 'storage'],
  thresholds: {
    warning: IDLE_INDEX_WARNING,
  },
  judge({ collection, indexes, documents, storage }, { warning }) {
    // Who has no documents yet may have given the index for queries to come.
    if (documents?.profile.documents === 0 || storage?.count === 0) return [];
    const arrays = documents === undefined ? [] : arrayPaths(documents.profile);
    const shardKey = collection.sharding === undefined ? null : collection.sharding.key.map(({ path }) => path);
    const isArray = (path: string) => arrays.some((array) => path === array || path.startsWith(`${array}.`));
    return redundantIndexes(indexes, { isArray, shardKey }).map(({ index, servedBy, relation }) => {
      const unread = documents === undefined ? Object.keys(servedBy.key).slice(Object.keys(index.key).length) : [];
      const bytes = ownValue(storage?.indexSizes ?? {}, index.name) ?? null;
      const servedByBytes = ownValue(storage?.indexSizes ?? {}, servedBy.name) ?? null;
      const size = storage === undefined || storage.count === null ? null : judgedSize(collection, storage.count);
      return {
        severity: indexBytesAt(bytes ?? 0, size) >= warning ? 'warning' : 'info',
        confidence: unread.length > 0 ? 'medium' : 'high',
        path: index.name,
        causedBy: `index ${index.name}`,
        message:
          `\`${servedBy.name}\` serves every query that \`${index.name}\` on ${formatIndexKey(index.key)} serves: ` +
          `${formatIndexKey(servedBy.key)} ${RELATIONS[relation]}. ${sizeText(index.name, bytes)}${size === null ? '' : judgedAtText(size)}` +
          (unread.length > 0 ? ` No documents were read: ${listed(unread)} may hold arrays.` : ''),
        ...(size !== null && judgedAt(size)),
        evidence: {
          source: 'listIndexes and collStats',
          window: `all ${indexes.length} indexes`,
          key: { ...index.key },
          servedBy: servedBy.name,
          servedByKey: { ...servedBy.key },
          relation,
          ...(bytes !== null && { indexBytes: bytes }),
          ...(servedByBytes !== null && { servedByBytes }),
        },
        remedy: { steps: remedySteps(collection, { index, servedBy, relation }, unread) },
      };
    });
  },
});

function sizeText(name: string, bytes: number | null): string {
  return bytes === null
    ? `Each insert writes \`${name}\`, too.`
    : `\`${name}\` takes ${formatBytes(bytes)}, and each insert writes it.`;
}

/** Dotted paths, as index keys write them, at which documents hold arrays. */
function arrayPaths({ paths }: DocumentProfile): string[] {
  return paths.filter(({ array }) => array !== undefined).map(({ path }) => path.replaceAll('[]', ''));
}

function listed(fields: readonly string[]): string {
  return fields.map((field) => `\`${field}\``).join(', ');
}

function remedySteps(
  collection: Collection,
  { index, servedBy }: RedundantIndex,
  unread: readonly string[],
): RemedyStep[] {
  return [
    ...(unread.length === 0
      ? []
      : [
          {
            text: `Check that ${listed(unread)} holds no arrays: \`${servedBy.name}\` then has an entry for each element, and \`${index.name}\` is worth keeping.`,
          },
        ]),
    {
      text: `Look for \`${index.name}\` in hint() calls of the application: a query that names a hidden index fails. Let it name \`${servedBy.name}\` instead.`,
    },
    {
      text: `Hide \`${index.name}\`: queries then use \`${servedBy.name}\`. The server keeps it up to date, so unhiding it takes no time.`,
      command: hideIndexCommand(collection, index),
      givesUp: [index.name],
    },
    dropHiddenStep(collection, index, 'some days,'),
  ];
}
