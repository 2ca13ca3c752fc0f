import {
  type ClusterVerdict,
  defineClusterCheck,
  type IndexDescription,
  type RemedyStep,
  type UnderstoodCode,
} from '../src/check.js';
import { meantNamespace } from '../src/code/meant-namespace.js';
import { lineText } from '../src/code/source-line.js';
import { stepsOf } from '../src/finding/remedy.js';
import { plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { formatIndexKey, keyRelation } from '../src/inventory/index-key.js';
import { indexName, proposeIndexes } from '../src/judgement/indexes/index-proposal.js';
import { indexSteps } from '../src/judgement/indexes/index-steps.js';
import type { JoinedCollection } from '../src/judgement/joins/joined-cluster.js';
import { spacedJson } from '../src/judgement/shell-statement.js';
import { shellCollection } from '../src/namespace.js';

type Declared = UnderstoodCode['indexes'][number];

export const missingDeclaredIndex = defineClusterCheck({
  id: 'missing-declared-index',
  title: 'Declared index missing',
  summary: 'an index that the source declares and the cluster lacks',
  appliesWhere: 'code',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: [],
  thresholds: {},
  judge({ collections, code }) {
    const declared = (code?.indexes ?? []).filter(({ role }) => role === 'application');
    return [...collections].flatMap(([namespace, known]): ClusterVerdict[] => {
      const own = declared.filter((index) => meantNamespace(index, collections.keys()) === namespace);
      const { indexes, collection } = known;
      if (own.length === 0 || collection.kind !== 'collection') return [];
      if (!indexes.present) return [{ namespace, notJudged: indexes.reason, detail: indexes.detail }];
      const missing = own.filter((index) => !isThere(index, indexes.value));
      return [...groupedBy(missing, ({ key }) => JSON.stringify(Object.entries(key))).values()].map((all) =>
        verdictOn(namespace, known, all as [Declared, ...Declared[]]),
      );
    });
  },
});

/** A longer index that begins with it serves the same, unless it has to be unique. The server stores text keys in another form. */
function isThere({ key, isUnique }: Declared, indexes: readonly IndexDescription[]): boolean {
  if (Object.values(key).includes('text')) return indexes.some((index) => Object.values(index.key).includes('text'));
  return indexes.some((index) => {
    const isSame = JSON.stringify(Object.entries(index.key)) === JSON.stringify(Object.entries(key));
    const relation = isSame ? 'same key' : keyRelation(key, index.key);
    return relation !== null && (!isUnique || (index.unique && relation === 'same key'));
  });
}

function verdictOn(
  namespace: string,
  known: JoinedCollection,
  all: readonly [Declared, ...Declared[]],
): ClusterVerdict {
  const [first] = all;
  const { key, name, isUnique } = first;
  const count = known.storage.present ? known.storage.value.count : null;
  const like = known.indexes.present
    ? known.indexes.value.find((index) => indexName(index.key) === indexName(key))
    : undefined;
  const lacks = like === undefined ? `${namespace} has no such index` : `${like.name} of ${namespace} is not unique`;
  const proposes =
    like === undefined
      ? proposeIndexes([{ key, collation: null, ...(name !== null && { name }), isServedBy: () => false }], known)
      : [];
  const steps = indexSteps(proposes, 'The source relies on it.');
  return {
    namespace,
    path: name ?? indexName(key),
    ...(like === undefined && { pathIs: 'missing-index' as const }),
    severity: 'warning',
    confidence: 'medium',
    message: `${lineText(first)} declares the index ${formatIndexKey(key)}${isUnique ? ', unique' : ''}: ${lacks}.`,
    evidence: {
      source: 'source code',
      window: plural(all.length, 'declaration'),
      ...(count !== null && { collectionDocuments: count }),
    },
    restsOn: ['source code'],
    locations: all.map((each) => ({ file: each.file, line: each.line, of: 'index', certain: true })),
    // A unique index may fail to build: nobody may run that unattended.
    ...(isUnique ? { remedy: { steps: uniqueSteps(namespace, key, like) } } : { proposes, remedy: { steps } }),
  };
}

function uniqueSteps(namespace: string, key: Declared['key'], like: IndexDescription | undefined): RemedyStep[] {
  return stepsOf('The build of a unique index fails if two documents hold the same value: look for them first.', {
    text: like === undefined ? 'Create the index.' : `Drop ${like.name}, and create it as a unique one.`,
    code: `${shellCollection(namespace)}.createIndex(${spacedJson(key)}, { unique: true })`,
  });
}
