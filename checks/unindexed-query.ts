import { type ClusterVerdict, defineClusterCheck, type IndexDescription, type UnderstoodCode } from '../src/check.js';
import { explains } from '../src/code/explains.js';
import { pathsAsked } from '../src/code/filter-contradiction.js';
import { meantNamespace } from '../src/code/meant-namespace.js';
import { isListed } from '../src/code/place.js';
import { distinctLines, lineText } from '../src/code/source-line.js';
import { inWords, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { judgedScan } from '../src/judgement/joins/joined-cluster.js';
import {
  documentsHere,
  judgedAt,
  judgedAtText,
  type JudgedSize,
  tooSmallToTell,
} from '../src/judgement/judged-size.js';
import { SCAN_SIZE } from '../src/judgement/queries/query-thresholds.js';

type SourcePlace = UnderstoodCode['places'][number];

/** Lines that the message names; the finding has all. */
const NAMED = 3;

/** Calls of one collection that ask for the same fields. */
interface Asked {
  readonly paths: readonly string[];
  readonly places: readonly SourcePlace[];
}

export const unindexedQuery = defineClusterCheck({
  id: 'unindexed-query',
  title: 'Query in the source without an index',
  summary: 'finds, counts and sorts in the source, never recorded, by fields that no index begins with',
  appliesWhere: 'code',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds: {
    documents: {
      ...SCAN_SIZE,
      description: 'size of the collection, in documents, from which it is reported; below, it is too small to tell',
    },
  },
  judge(cluster, limits) {
    const { collections, workload, code } = cluster;
    const reading = (code?.places ?? []).filter(
      (place) =>
        place.role === 'application' &&
        isListed(place) &&
        !workload.operations.some(({ shape }) => explains(place, shape)),
    );
    return [...collections].flatMap(([namespace, { indexes, collection }]): ClusterVerdict[] => {
      const own = reading.filter((place) => meantNamespace(place, collections.keys()) === namespace);
      const size = judgedScan(cluster, namespace);
      if (own.length === 0 || size === null || collection.kind !== 'collection' || !indexes.present) return [];
      return groupsIn(own, indexes.value).map((asked) =>
        size.documents < limits.documents
          ? { namespace, ...tooSmallToTell(size, `in the source, ${whatIsAsked(asked, namespace)}`) }
          : verdictOn(asked, namespace, size),
      );
    });
  },
});

/** By the fields that they ask for, those of which no index begins with any. */
function groupsIn(places: readonly SourcePlace[], indexes: readonly IndexDescription[]): readonly Asked[] {
  const first = new Set(indexes.map(({ key }) => Object.keys(key)[0] ?? ''));
  // A wildcard index may begin with any.
  if ([...first].some((path) => path.includes('$**'))) return [];
  const asked = places.flatMap((place) => {
    const paths = pathsOf(place);
    return paths === null || paths.length === 0 || paths.some((path) => first.has(path)) ? [] : [{ place, paths }];
  });
  return [...groupedBy(asked, ({ paths }) => JSON.stringify(paths)).values()].map((all) => ({
    paths: all[0]?.paths ?? [],
    places: all.map(({ place }) => place),
  }));
}

/** The fields of all ways in which it can come out, if a find or count is known completely; null if it is not. */
function pathsOf({ kinds, method, shapes, complete }: SourcePlace): readonly string[] | null {
  const isRead = kinds.every((kind) => kind === 'find' || kind === 'count' || kind === 'distinct');
  if (!complete || shapes === null || !(isRead || method === 'countDocuments')) return null;
  const paths = new Set<string>();
  for (const { filter, sort } of shapes) {
    // All documents are wanted, which no index helps.
    const own = [...(filter === undefined ? [] : pathsAsked(filter.shape)), ...Object.keys(sort ?? {}).slice(0, 1)];
    if (own.length === 0) return null;
    for (const path of own) paths.add(path);
  }
  // `$text`, `$expr` and names that are data are left to recordings.
  return [...paths].some((path) => path.startsWith('$') || path.includes('*')) ? null : [...paths].toSorted();
}

function whatIsAsked({ places, paths }: Asked, namespace: string): string {
  const lines = distinctLines(places).map(lineText);
  const named = lines.length > NAMED ? plural(lines.length, 'place') : inWords(lines);
  return `${named} ${lines.length === 1 ? 'searches or sorts' : 'search or sort'} ${namespace} by ${inWords(paths.map((path) => `\`${path}\``))}, and no index there begins with ${paths.length === 1 ? 'it' : 'any of them'}`;
}

function verdictOn(asked: Asked, namespace: string, size: JudgedSize): ClusterVerdict {
  const { paths, places } = asked;
  return {
    namespace,
    path: paths.join(', '),
    severity: 'info',
    confidence: 'medium',
    message: `${whatIsAsked(asked, namespace)}. Each execution may read all ${plural(size.recorded, size.unit)}.${judgedAtText(size)} No recording has seen this operation, so how often it runs is unknown.`,
    evidence: {
      source: 'source code',
      window: plural(places.length, 'place'),
      collectionDocuments: size.present,
      ...documentsHere(size),
    },
    restsOn: ['source code'],
    locations: distinctLines(places).map(({ file, line }) => ({ file, line, of: 'operation', certain: true })),
    ...judgedAt(size),
    remedy: {
      steps: [
        {
          text: 'Record what the application runs: with its costs, one index can be chosen for all queries of the collection. If this one runs often, create an index for it now.',
        },
      ],
    },
  };
}
