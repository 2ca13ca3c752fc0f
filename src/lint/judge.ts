import { isClusterCheck, type AnyCheck } from '../check.js';
import type { CollectedTracedEvidence } from '../evidence/cluster-evidence.js';
import { clusterGaps } from '../evidence/collect-cluster-evidence.js';
import type { EvidenceName } from '../evidence/evidence.js';
import { keptEvidence } from '../evidence/kept-evidence.js';
import { errorCodesOf, errorCodesOfCluster } from '../evidence/server-error-codes.js';
import type { BegunPieces, KeptCollection } from '../evidence/source.js';
import type { Skipped } from '../finding.js';
import type { RunSettings } from '../findings/check-settings.js';
import { leftOut } from '../findings/left-out.js';
import { piecesNeeded } from '../findings/needed-evidence.js';
import { judgeCollection, type FaultListener, type Judgement } from '../findings/run-checks.js';
import type { Collection } from '../inventory/collection.js';
import type { Inventory } from '../inventory/inventory.js';
import { mayMatchIn } from '../inventory/namespace-filter.js';
import { measuredCollection } from '../report/measured-collection.js';
import type { ReportedCollection } from '../report/report.js';
import type { Collecting } from './collect.js';

export interface JudgedCollection extends Judgement {
  readonly measured: ReportedCollection;
  /** What the checks of the whole cluster still need of it; nothing if there are none. */
  readonly kept: readonly KeptCollection[];
  /** Codes of the server's errors that kept evidence from being collected. */
  readonly errorCodes: readonly number[];
}

export interface JudgingOptions {
  readonly checks: readonly AnyCheck[];
  readonly settings: RunSettings;
  /** What is kept of each collection until the cluster is judged. */
  readonly toKeep: ReadonlySet<EvidenceName>;
  /** Attaches its expected size to a collection. */
  readonly sized: (collection: Collection) => Collection;
  readonly onFault: FaultListener;
}

/** Judges the evidence of one collection, and keeps of it what checks of the cluster need. */
export function judgeCollected(
  { collection: present, evidence }: KeptCollection,
  { checks, settings, toKeep, sized, onFault }: JudgingOptions,
): JudgedCollection {
  const collection = sized(present);
  for (const piece of Object.values(evidence)) {
    if (!piece.present && piece.reason === 'fault') onFault('evidence', collection.namespace, piece.error);
  }
  const judgement = judgeCollection(checks, collection, evidence, settings, onFault);
  return {
    ...judgement,
    skipped: [...judgement.skipped, ...leftOut(collection, evidence)],
    measured: measuredCollection(collection, evidence),
    kept: toKeep.size === 0 ? [] : [{ collection, evidence: keptEvidence(collection, evidence, toKeep) }],
    errorCodes: errorCodesOf(evidence),
  };
}

/** What the run could not read beforehand: databases that could not be listed, how collections are sharded, shared evidence. */
export async function unreadEntries(
  { inventory, begun, options: { include = [] } }: Collecting,
  checks: readonly AnyCheck[],
): Promise<Skipped[]> {
  const gaps = await gapEntries(begun, checks);
  return [...unlistedEntries(inventory, include), ...unknownSharding(inventory, checks), ...gaps];
}

/** Codes of the server's errors that kept evidence from being collected, whatever it is of. */
export async function errorCodesOfRun(
  { begun }: Collecting,
  judged: readonly JudgedCollection[],
  evidence: CollectedTracedEvidence,
): Promise<readonly number[]> {
  const ofCollections = judged.flatMap(({ errorCodes }) => errorCodes);
  return [...ofCollections, ...errorCodesOfCluster(evidence), ...errorCodesOf({ oplog: await begun.oplog })];
}

/** What could not be listed, but for the databases that the globs leave out anyway. */
function unlistedEntries({ unlisted }: Inventory, include: readonly string[]): Skipped[] {
  const isWanted = (database: string) => include.length === 0 || include.some((glob) => mayMatchIn(glob, database));
  const wanted = unlisted.filter(({ database }) => database === undefined || isWanted(database));
  return wanted.map(({ database, absent }) => ({
    check: '*',
    ...(database !== undefined && { namespace: `${database}.*` }),
    reason: absent.reason,
    detail: absent.detail,
  }));
}

/** If the config database can't be read, it is not known of any collection whether it is sharded. */
function unknownSharding({ shardingUnknown }: Inventory, checks: readonly AnyCheck[]): Skipped[] {
  if (shardingUnknown === undefined) return [];
  const { reason, detail } = shardingUnknown;
  const affected = checks.filter((check) => !isClusterCheck(check) && check.appliesWhere === 'sharded');
  return affected.map(({ id }) => ({ check: id, reason, detail }));
}

/** What could not be read of evidence that the run shares, for each check that needs it. */
async function gapEntries(begun: BegunPieces, checks: readonly AnyCheck[]): Promise<Skipped[]> {
  const gaps = await clusterGaps(begun);
  return gaps.flatMap(({ name, gap: { reason, detail } }) =>
    checks.filter((check) => piecesNeeded([check]).has(name)).map(({ id }) => ({ check: id, reason, detail })),
  );
}
