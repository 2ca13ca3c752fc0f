import { defineClusterCheck, type ClusterVerdict, type IndexDescription, type UnderstoodCode } from '../src/check.js';
import { isMeantBy } from '../src/code/meant-namespace.js';
import { formatCount, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { formatIndexKey, isIdIndex } from '../src/inventory/index-key.js';
import { keyPattern, type CollectionSharding } from '../src/inventory/sharding.js';
import { databaseOf } from '../src/namespace.js';

const STEPS = [
  { text: 'If queries need it, declare it with the schema: each database that the code builds then has it.' },
  {
    text: 'If the source no longer declares it on purpose, see first that no query uses it (`unused-index`). Hide it for some days before you drop it.',
  },
];

export const undeclaredIndex = defineClusterCheck({
  id: 'undeclared-index',
  title: 'Index that the source does not declare',
  summary: 'indexes of the cluster that the source declares nowhere, though it declares most others',
  appliesWhere: 'code',
  needs: ['indexes'],
  clusterNeeds: [],
  thresholds: {
    understood: {
      default: 0.9,
      unit: 'share',
      description: "share of the source's declarations whose collection and key are known, at least",
      source: 'judgement: one of the others may declare the index',
    },
    declared: {
      default: 0.5,
      unit: 'share',
      description: "share of the database's indexes that the source declares, at least",
      source: 'judgement: below, indexes are made elsewhere',
    },
  },
  judge({ collections, code }, limits) {
    if (code === undefined) return [];
    const known = [...collections].flatMap(([namespace, { collection, indexes }]) =>
      indexes.present && isMeantBy(namespace, [...code.places, ...code.paths, ...code.indexes])
        ? [{ namespace, indexes: indexes.value.filter((index) => isDeclarable(index, collection)) }]
        : [],
    );
    const { length: understood } = code.indexes;
    const isUnderstood = understood > 0 && understood / (understood + code.unknownIndexes) >= limits.understood;
    return [...groupedBy(known, ({ namespace }) => databaseOf(namespace)).values()].flatMap((all): ClusterVerdict[] => {
      const others = all.flatMap(({ namespace, indexes }) =>
        indexes.filter((index) => !isDeclared(index, namespace, code)).map((index) => ({ namespace, index })),
      );
      const total = all.reduce((sum, { indexes }) => sum + indexes.length, 0);
      const declared = total - others.length;
      if (others.length === 0 || declared / total < limits.declared) return [];
      if (!isUnderstood)
        return [
          {
            notJudged: 'insufficient',
            detail: `of ${plural(understood + code.unknownIndexes, 'index', 'indexes')} that the source declares, ${formatCount(code.unknownIndexes)} are known only when it runs.`,
          },
        ];
      return others.map((other) => verdictOn(other, code, { declared, total }));
    });
  },
});

function isDeclarable(index: IndexDescription, { sharding }: { readonly sharding?: CollectionSharding }): boolean {
  if (isIdIndex(index)) return false;
  const isShardKey = sharding !== undefined && JSON.stringify(keyPattern(sharding.key)) === JSON.stringify(index.key);
  // The driver makes it for encrypted fields.
  return !isShardKey && !('__safeContent__' in index.key);
}

function isDeclared({ key }: IndexDescription, namespace: string, { indexes }: UnderstoodCode): boolean {
  return indexes.some(
    (index) =>
      isMeantBy(namespace, [index]) &&
      (isText(index.key)
        ? isText(key)
        : JSON.stringify(Object.entries(index.key)) === JSON.stringify(Object.entries(key))),
  );
}

function verdictOn(
  { namespace, index: { name, key } }: { readonly namespace: string; readonly index: IndexDescription },
  { paths }: UnderstoodCode,
  { declared, total }: { readonly declared: number; readonly total: number },
): ClusterVerdict {
  const schemas = paths.filter(
    ({ path, role, ...of }) => path === null && role === 'application' && isMeantBy(namespace, [of]),
  );
  return {
    namespace,
    path: name,
    severity: 'info',
    confidence: 'medium',
    message: `The source declares ${name} of ${namespace}, on ${formatIndexKey(key)}, nowhere, but ${formatCount(declared)} of the ${plural(total, 'index', 'indexes')} there. A database that it builds lacks this one.`,
    evidence: { source: 'source code', window: plural(total, 'index', 'indexes'), declared },
    restsOn: ['source code'],
    locations: schemas.map(({ file, line }) => ({ file, line, of: 'schema', certain: schemas.length === 1 })),
    remedy: { steps: STEPS },
    adviceForAll: STEPS,
  };
}

/** The server stores keys of texts in another form. */
function isText(key: object): boolean {
  return Object.values(key).includes('text');
}
