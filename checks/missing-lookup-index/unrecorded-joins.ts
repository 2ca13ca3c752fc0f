import type { ClusterVerdict, Confidence, Problem, UnderstoodCode } from '../../src/check.js';
import type { CodeShape, Place } from '../../src/code/place.js';
import { distinctLines, lineText, type SourceLine } from '../../src/code/source-line.js';
import { inWords, plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { type JoinedCluster, judgedScan } from '../../src/judgement/joins/joined-cluster.js';
import { type UnservedJoin, unservedJoins } from '../../src/judgement/joins/unserved-joins.js';
import { documentsHere, judgedAt, judgedAtText, tooSmallToTell } from '../../src/judgement/judged-size.js';
import { databaseOf, nameOf } from '../../src/namespace.js';
import { joinsOf } from '../../src/workload/joins/joins-of.js';
import { isObjectShape, type PipelineShape, type Shape } from '../../src/workload/shapes/shape.js';
import type { JoinedField } from './joined-field.js';

/** Lines that the message names; the finding has all. */
const NAMED = 3;

/** Of a collection that the source does not name. */
const UNNAMED = '?';

/** Joins that the source makes and no index serves, though no recording has seen them. */
interface SourceJoins extends JoinedField {
  readonly lines: readonly SourceLine[];
  readonly confidence: Confidence;
}

/**
 * The joins of the source that are not among those that were recorded. How often they run is not known, so that they are
 * warnings at most.
 *
 * @param recorded joins that no index serves and that were recorded
 * @param remedyOf why no index serves them, and what to do
 */
export function unrecordedJoins(
  code: UnderstoodCode,
  recorded: readonly UnservedJoin[],
  cluster: JoinedCluster,
  fewest: number,
  remedyOf: (joins: JoinedField['joins']) => Pick<Problem, 'remedy' | 'proposes'> & { why: string },
): ClusterVerdict[] {
  const known = new Set(recorded.map(fieldOf));
  return fieldsOf(code, cluster).flatMap((field): ClusterVerdict[] => {
    const { namespace, path, joins, lines, confidence } = field;
    const size = judgedScan(cluster, namespace);
    if (size === null || known.has(fieldOf(field))) return [];
    const named = lines.length > NAMED ? plural(lines.length, 'place') : inWords(lines.map(lineText));
    const what = `${named} ${lines.length === 1 ? 'joins' : 'join'} ${namespace}${path === null ? '' : ` by \`${path}\``}`;
    if (size.documents < fewest)
      return [{ namespace, ...tooSmallToTell(size, `in the source, ${what}, without an index`) }];
    const { why, ...remedy } = remedyOf(joins);
    return [
      {
        namespace,
        path,
        severity: 'warning',
        confidence,
        message: `${what}. ${why} Each execution reads all ${plural(size.recorded, size.unit)}, for each outer document or into a hash table.${judgedAtText(size)} No recording has seen this operation, so how often it runs is unknown.`,
        evidence: {
          source: 'source code',
          window: plural(lines.length, 'place'),
          foreignDocuments: size.present,
          ...documentsHere(size),
        },
        restsOn: ['source code'],
        locations: lines.map(({ file, line }) => ({ file, line, of: 'join', certain: true })),
        ...judgedAt(size),
        ...remedy,
      },
    ];
  });
}

function fieldOf({ namespace, ...join }: UnservedJoin | SourceJoins): string {
  return JSON.stringify([namespace, 'path' in join ? join.path : null]);
}

function fieldsOf({ places }: UnderstoodCode, cluster: JoinedCluster): readonly SourceJoins[] {
  const found = places
    .filter(({ role, unlisted }) => role === 'application' && unlisted !== 'wrapper')
    .flatMap((place) => (place.shapes ?? []).flatMap((way) => joinsIn(place, way, cluster)));
  return [...groupedBy(found, fieldOf).values()].map((all) => ({
    ...all[0]!,
    joins: all.flatMap(({ joins }) => joins),
    lines: distinctLines(all.flatMap(({ lines }) => lines)),
    confidence: all.some(({ confidence }) => confidence === 'medium') ? 'medium' : 'low',
  }));
}

function joinsIn(place: Place, { pipeline, joins = [] }: CodeShape, cluster: JoinedCluster): SourceJoins[] {
  if (pipeline === undefined) return [];
  return joins.flatMap(({ from, file, line }) => {
    const database = from === null ? null : databaseWith(place, from, cluster);
    if (database === null) return [];
    const { viewsByNamespace: views } = cluster.workload;
    const namespace = `${database}.${place.collection ?? UNNAMED}`;
    const uses = joinsOf(inDatabase(pipeline, database), { namespace, views }).flatMap((join) =>
      nameOf(join.foreign.namespace) === from ? [{ join, operation: null, view: null }] : [],
    );
    const confidence = place.collection === null ? 'low' : 'medium';
    return unservedJoins(cluster, uses).flatMap((join): SourceJoins[] => {
      if (join.kind === 'unjudged') return [];
      return [{ namespace: join.namespace, path: join.path, joins: [join], lines: [{ file, line }], confidence }];
    });
  });
}

/** The only database that has the joined collection, and the place's own if that is known; null if there is none or several. */
function databaseWith({ collection, database }: Place, from: string, { collections }: JoinedCluster): string | null {
  const all = [...collections.keys()].filter((namespace) => nameOf(namespace) === from).map(databaseOf);
  const possible = all.filter(
    (each) =>
      (database === null || database === each) && (collection === null || collections.has(`${each}.${collection}`)),
  );
  return possible.length === 1 ? (possible[0] ?? null) : null;
}

/** With the names of collections in a database, as those of recorded pipelines are. */
function inDatabase(pipeline: PipelineShape, database: string): PipelineShape {
  const placed = (shape: Shape, name: string): Shape => {
    if (typeof shape === 'string')
      return (name === 'from' || name === 'coll') && shape.startsWith('.') ? database + shape : shape;
    if (Array.isArray(shape)) return shape.map((each: Shape) => placed(each, name));
    if (!isObjectShape(shape)) return shape;
    return Object.fromEntries(Object.entries(shape).map(([key, each]) => [key, placed(each, key)]));
  };
  return placed(pipeline, '') as unknown as PipelineShape;
}
