import pLimit from 'p-limit';
import type { AnyCheck } from '../check.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import {
  readCollection,
  withSharedEvidence,
  type EvidenceBounds,
  type ReadCollection,
  type SharedEvidence,
} from '../evidence/collect-evidence.js';
import type { EvidenceName } from '../evidence/evidence.js';
import { keptEvidence, possibleEvidence } from '../evidence/kept-evidence.js';
import { isConnectionLost, unreachedEvidence } from '../evidence/lost-connection.js';
import { leftOut } from '../findings/left-out.js';
import {
  applicableChecks,
  evidenceNeeded,
  judgeCollection,
  type FaultListener,
  type Judgement,
} from '../findings/run-checks.js';
import { evidenceToKeep, type KeptCollection } from '../findings/run-cluster-checks.js';
import type { Collection } from '../inventory/collection.js';
import type { Inventory } from '../inventory/inventory.js';
import { settingsOf, type CheckSettings } from '../findings/check-settings.js';
import { measuredCollection } from '../report/measured-collection.js';
import type { ReportedCollection } from '../report/report.js';

/** How far the run is. */
export interface LintProgress {
  readonly done: number;
  readonly total: number;
  /** The collection that was just judged. */
  readonly namespace: string;
}

/** One collection after the checks. */
export interface JudgedCollection extends Judgement {
  readonly measured: ReportedCollection;
  /** What the checks of the whole cluster still need of it; nothing where there are none. */
  readonly kept: readonly KeptCollection[];
}

/** How the collections are judged. */
export interface JudgingOptions {
  readonly checks: readonly AnyCheck[];
  readonly settings?: CheckSettings;
  readonly bounds: EvidenceBounds;
  readonly shared: SharedEvidence;
  /** Collections under way at once. */
  readonly concurrency: number;
  readonly onProgress?: (progress: LintProgress) => void;
  readonly onFault: FaultListener;
}

/** Collections whose profiles are held, for each that is read at the time. A profile is some 100 KB. */
const HELD_PER_READ = 4;

/** Collects the evidence of each collection and judges it at once, so that no more than a few profiles are held. */
export function judgeInventory(
  reader: ClusterReader,
  { collections }: Inventory,
  { checks, settings = {}, bounds, shared, concurrency, onProgress, onFault }: JudgingOptions,
): Promise<JudgedCollection[]> {
  const toKeep = evidenceToKeep(checks);
  const limit = pLimit(concurrency);
  // Those that were read wait for what they share, such as the oplog, while others are read.
  const limitHeld = pLimit(HELD_PER_READ * concurrency);
  let done = 0;
  let isLost = false;
  const readUnlessLost = async (
    collection: Collection,
    needs: ReadonlySet<EvidenceName>,
  ): Promise<ReadCollection | null> => {
    if (isLost) return null;
    const read = await readCollection(reader, collection, needs, bounds);
    isLost ||= isConnectionLost(read.evidence);
    return read;
  };
  const judge = async (collection: Collection): Promise<JudgedCollection> => {
    const enabled = checks.filter((check) => !settingsOf(check, collection.namespace, settings).off);
    const needed = evidenceNeeded(applicableChecks(enabled, collection));
    const needs = new Set([...needed, ...possibleEvidence(collection, toKeep)]);
    const read = await limit(readUnlessLost, collection, needs);
    const evidence =
      read === null ? unreachedEvidence(collection, needs) : await withSharedEvidence(read, collection, needs, shared);
    for (const piece of Object.values(evidence)) {
      if (!piece.present && piece.reason === 'fault') onFault('evidence', collection.namespace, piece.error);
    }
    const judgement = judgeCollection(enabled, collection, evidence, settings, onFault);
    done += 1;
    onProgress?.({ done, total: collections.length, namespace: collection.namespace });
    return {
      ...judgement,
      skipped: [...judgement.skipped, ...leftOut(collection, evidence)],
      measured: measuredCollection(collection, evidence),
      kept: toKeep.size === 0 ? [] : [{ collection, evidence: keptEvidence(collection, evidence, toKeep) }],
    };
  };
  return Promise.all(collections.map((collection) => limitHeld(judge, collection)));
}
