import type { Reference } from '../../evidence/references/references.js';
import type { TextRemedy } from '../../finding.js';
import { FIGURE_SOURCES, type Operation } from '../../workload/workload.js';
import { indexUsability } from '../indexes/usability/index-usability.js';
import type { EqualityJoin } from '../indexes/usability/equality-join.js';
import { isObjectShape } from '../../workload/shapes/shape.js';
import type { Collection } from '../../inventory/collection.js';
import { joinedFields } from '../../workload/joins/workload-joins.js';
import { databaseOf } from '../../namespace.js';
import { formatIndexKey } from '../../inventory/index-key.js';
import { indexName } from '../joins/join-index-remedy.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { sourceCoverage } from '../../workload/coverage/source-window.js';

type ReferringField = Pick<Reference, 'namespace' | 'path'>;

/** True where an index finds the documents that refer to a given one; null where the indexes are not known. */
export function isReferenceIndexed(
  { namespace, path }: ReferringField,
  { collections, server }: JoinedCluster,
): boolean | null {
  const known = collections.get(namespace);
  if (known === undefined || !known.indexes.present) return null;
  const { collection, indexes } = known;
  return indexes.value.some((index) => indexUsability(index, lookUpBy(path, collection), collection, server).usable);
}

/** The index that finds the documents that refer to a given one, as a command to run. */
export function referenceIndexRemedy(
  { namespace, path }: ReferringField,
  { collections, server }: JoinedCluster,
): TextRemedy {
  const known = collections.get(namespace);
  if (known === undefined || !known.indexes.present) throw new Error(`The indexes of ${namespace} are not known.`);
  const { collection, indexes } = known;
  const hidden = indexes.value.find(
    (index) =>
      index.hidden &&
      indexUsability({ ...index, hidden: false }, lookUpBy(path, collection), collection, server).usable,
  );
  if (hidden !== undefined) {
    const command = { collMod: collection.name, index: { name: hidden.name, hidden: false } };
    return {
      text: `Show the hidden index ${hidden.name} again: it begins with the reference.`,
      commands: [{ db: collection.database, command }],
    };
  }
  const key = { [path]: 1 } as const;
  const command = { createIndexes: collection.name, indexes: [{ key, name: indexName(key, indexes.value) }] };
  return {
    text: `Create an index on ${formatIndexKey(key)} of ${namespace}. If the documents of one parent are read in an order, put its fields behind the reference.`,
    commands: [{ db: collection.database, command }],
  };
}

/** A find by one value that is not null, in the collection's own collation: the look-up of one parent's documents. */
function lookUpBy(path: string, { collation }: Collection): EqualityJoin {
  return {
    form: 'localField',
    foreignField: path,
    collation: collation ?? null,
    withPipeline: true,
    localTypes: ['objectId'],
  };
}

/** The fields by which joins of the workload, or of views, look documents up, as `placeOf` names them. */
export function joinedPlaces({ workload }: JoinedCluster): ReadonlySet<string> {
  return new Set(joinedFields(workload.joinUses).map(placeOf));
}

/** One text for a field of a collection. */
export function placeOf({ namespace, path }: ReferringField): string {
  return JSON.stringify([namespace, path]);
}

/** Executions on a collection from which the operations seen are taken for all that there are. Judgement. */
const ENOUGH_EXECUTIONS = 1_000;

/** True where a source that sees everything has seen much of the collection, and nothing that asks for the field. */
export function isNeverSearched(reference: ReferringField, cluster: JoinedCluster): boolean {
  const { workload } = cluster;
  const database = databaseOf(reference.namespace);
  if (searchesBy(reference, cluster).length > 0) return false;
  return FIGURE_SOURCES.some((source) => {
    const onIt = workload.operations.filter(({ shape }) => shape.namespace === reference.namespace);
    const executions = onIt.reduce((sum, { figures }) => sum + (figures[source]?.executions ?? 0), 0);
    return executions >= ENOUGH_EXECUTIONS && sourceCoverage(workload, source, database).operations === 'all';
  });
}

/** Operations that ask for documents by the field. */
function searchesBy({ namespace, path }: ReferringField, { workload }: JoinedCluster): Operation[] {
  return workload.operations.filter(({ shape }) => {
    if (shape.namespace !== namespace) return false;
    const [first] = shape.pipeline ?? [];
    const filter = shape.filter ?? first?.['$match'];
    return isObjectShape(filter) && path in filter;
  });
}
