import {
  type ClusterVerdict,
  defineClusterCheck,
  type IndexDescription,
  type RemedyStep,
  type UnderstoodCode,
} from '../src/check.js';
import { explains } from '../src/code/explains.js';
import { conditionsOf } from '../src/code/filter-contradiction.js';
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
import { regularExpressionFacts } from '../src/workload/shapes/placeholder.js';
import type { Shape } from '../src/workload/shapes/shape.js';

type SourcePlace = UnderstoodCode['places'][number];

/** Lines that the message names; the finding has all. */
const NAMED = 3;

/** The fields that a call asks for. */
interface Fields {
  readonly paths: readonly string[];
  /** Those that are only compared by regular expressions that ignore case. */
  readonly ignoringCase: readonly string[];
}

const WITHOUT_CASE: RemedyStep = {
  text: 'A search for whole values is served by an index with a collation of strength 2, and equality in place of the regular expression; one for beginnings by the text in lower case, in a field of its own with an index.',
};

/** Calls of one collection that ask for the same fields. */
interface Asked extends Fields {
  readonly places: readonly SourcePlace[];
}

export const unindexedQuery = defineClusterCheck({
  id: 'unindexed-query',
  title: 'Query in the source without an index',
  summary: 'finds, counts and sorts in the source, never recorded, by what no index serves',
  appliesWhere: 'code',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds: {
    documents: {
      ...SCAN_SIZE,
      description: 'documents of the collection; fewer are not judged',
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
    const fields = fieldsOf(place);
    const isServed = (path: string) => first.has(path) && fields?.ignoringCase.includes(path) === false;
    return fields === null || fields.paths.length === 0 || fields.paths.some(isServed) ? [] : [{ place, ...fields }];
  });
  return [...groupedBy(asked, ({ paths, ignoringCase }) => JSON.stringify([paths, ignoringCase])).values()].map(
    (all) => ({ ...(all[0] as Fields), places: all.map(({ place }) => place) }),
  );
}

/** The fields of all ways in which it can come out, if a find or count is known completely; null if it is not. */
function fieldsOf({ kinds, method, shapes, complete }: SourcePlace): Fields | null {
  const isRead = kinds.every((kind) => kind === 'find' || kind === 'count' || kind === 'distinct');
  if (!complete || shapes === null || !(isRead || method === 'countDocuments')) return null;
  const paths = new Set<string>();
  const compared = new Map<string, boolean>();
  for (const { filter, sort } of shapes) {
    const conditions = conditionsOf(filter?.shape ?? {});
    // All documents are wanted, which no index helps.
    const own = [...conditions.keys(), ...Object.keys(sort ?? {}).slice(0, 1)];
    if (own.length === 0) return null;
    for (const path of own) paths.add(path);
    for (const [path, operators] of conditions)
      compared.set(path, compared.get(path) !== false && [...operators].every(ignoresCase));
  }
  // `$text`, `$expr` and names that are data are left to recordings.
  if ([...paths].some((path) => path.startsWith('$') || path.includes('*'))) return null;
  return {
    paths: [...paths].toSorted(),
    ignoringCase: [...compared].flatMap(([path, ignores]) => (ignores ? [path] : [])).toSorted(),
  };
}

function ignoresCase([operator, operand]: readonly [string, Shape]): boolean {
  return (
    operator === '$regex' && typeof operand === 'string' && regularExpressionFacts(operand)?.caseInsensitive === true
  );
}

function whatIsAsked({ places, paths, ignoringCase }: Asked, namespace: string): string {
  const lines = distinctLines(places).map(lineText);
  const named = lines.length > NAMED ? plural(lines.length, 'place') : inWords(lines);
  const others = paths.filter((path) => !ignoringCase.includes(path));
  const lacking =
    others.length === 0
      ? 'no index can be searched by a regular expression that ignores case'
      : `no index there begins with ${others.length < paths.length ? quoted(others) : paths.length === 1 ? 'it' : 'any of them'}`;
  return `${named} ${lines.length === 1 ? 'searches or sorts' : 'search or sort'} ${namespace} by ${quoted(paths)}, and ${lacking}`;
}

function quoted(paths: readonly string[]): string {
  return inWords(paths.map((path) => `\`${path}\``));
}

function verdictOn(asked: Asked, namespace: string, size: JudgedSize): ClusterVerdict {
  const { paths, places, ignoringCase } = asked;
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
        ...(ignoringCase.length === 0 ? [] : [WITHOUT_CASE]),
        {
          text: 'Record what the application runs: with its costs, one index can be chosen for all queries of the collection. If this one runs often, create an index for it now.',
        },
      ],
    },
  };
}
