import type { Reference } from '../../src/references/references.js';
import { FIGURE_SOURCES, type Operation } from '../../src/workload/workload.js';
import { indexUsability, undecidedUse } from '../../src/judgement/indexes/usability/index-usability.js';
import type { EqualityJoin } from '../../src/judgement/indexes/usability/joined-index.js';
import { isObjectShape } from '../../src/workload/shapes/shape.js';
import type { Collection, IndexDescription } from '../../src/inventory/collection.js';
import { joinedFields } from '../../src/workload/joins/workload-joins.js';
import { databaseOf } from '../../src/namespace.js';
import { proposeIndexes, type WantedIndex } from '../../src/judgement/indexes/index-proposal.js';
import { indexSteps, type IndexRemedy } from '../../src/judgement/indexes/index-steps.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { sourceCoverage } from '../../src/workload/coverage/source-window.js';

type ReferringField = Pick<Reference, 'namespace' | 'path'>;

const WITH_ORDER =
  'If the documents of one parent are read in an order, add the fields of that order behind the reference.';

/** Null if the indexes are not known. */
export function isReferenceIndexed(
  { namespace, path }: ReferringField,
  { collections, server }: JoinedCluster,
): boolean | null {
  const known = collections.get(namespace);
  if (known === undefined || !known.indexes.present) return null;
  const { collection, indexes } = known;
  return indexes.value.some((index) => indexUsability(index, lookUpBy(path, collection), collection, server).usable);
}

export function referenceIndexInBuild(
  { namespace, path }: ReferringField,
  { collections, server }: JoinedCluster,
): IndexDescription | null {
  const known = collections.get(namespace);
  if (known === undefined || !known.indexes.present) return null;
  const { collection, indexes } = known;
  const join = lookUpBy(path, collection);
  return indexes.value.find((index) => undecidedUse(index, join, collection, server) !== null) ?? null;
}

export function referenceIndexRemedy(
  { namespace, path }: ReferringField,
  { collections, server }: JoinedCluster,
): IndexRemedy {
  const known = collections.get(namespace);
  if (known === undefined) throw new Error(`${namespace} is not among the collections.`);
  const { collection } = known;
  const wanted: WantedIndex = {
    key: { [path]: 1 },
    collation: collection.collation ?? null,
    isServedBy: (index) => indexUsability(index, lookUpBy(path, collection), collection, server).usable,
  };
  const proposes = proposeIndexes([wanted], known);
  return { remedy: { steps: indexSteps(proposes, WITH_ORDER) }, proposes };
}

/** A find by one value that is not null, in the collation of the collection. */
function lookUpBy(path: string, { collation }: Collection): EqualityJoin {
  return {
    form: 'localField',
    foreignField: path,
    collation: collation ?? null,
    withPipeline: true,
    localTypes: ['objectId'],
  };
}

/** The fields by which joins of the workload or of views look documents up. */
export function joinedPlaces({ workload }: JoinedCluster): ReadonlySet<string> {
  return new Set(joinedFields(workload.joinUses).map(placeOf));
}

export function placeOf({ namespace, path }: ReferringField): string {
  return JSON.stringify([namespace, path]);
}

/** Executions on a collection from which the operations seen count as all that an application does. Judgement. */
const ENOUGH_EXECUTIONS = 100;

/** How many a source with all operations has recorded on the collection, if none searches by the field; null if too few. */
export function executionsWithout(reference: ReferringField, cluster: JoinedCluster): number | null {
  const { workload } = cluster;
  const database = databaseOf(reference.namespace);
  if (searchesBy(reference, cluster).length > 0) return null;
  const onIt = workload.operations.filter(({ shape }) => shape.namespace === reference.namespace);
  const recorded = FIGURE_SOURCES.filter(
    (source) => sourceCoverage(workload, source, database).operations === 'all',
  ).map((source) => onIt.reduce((sum, { figures }) => sum + (figures[source]?.executions ?? 0), 0));
  const most = Math.max(0, ...recorded);
  return most >= ENOUGH_EXECUTIONS ? most : null;
}

function searchesBy({ namespace, path }: ReferringField, { workload }: Pick<JoinedCluster, 'workload'>): Operation[] {
  return workload.operations.filter(({ shape }) => {
    if (shape.namespace !== namespace) return false;
    const [first] = shape.pipeline ?? [];
    const filter = shape.filter ?? first?.['$match'];
    return isObjectShape(filter) && Object.hasOwn(filter, path);
  });
}
