import type { UnderstoodCode } from './code/understood-code.js';
import type { Release } from './connect/server-version.js';
/**
 * The public contract of a check: everything that a check, built in or from a plugin, may use.
 *
 * A check is metadata and a pure function from evidence to verdicts. It does no I/O and keeps no state.
 */
import type { ClusterEvidenceName, TracedClusterEvidence } from './evidence/cluster-evidence.js';
import type { CollectionEvidence, EvidenceName } from './evidence/evidence.js';
import type {
  Confidence,
  FindingEvidence,
  FindingLocation,
  JudgedAt,
  Remedy,
  RemedyStep,
  Severity,
} from './finding.js';
import type { LookFor } from './finding/look-for.js';
import type { Collection, CollectionKind } from './inventory/collection.js';
import type { IndexProposal } from './inventory/index-proposal.js';
import type { Evidence, SkipReason } from './presence.js';
import type { Operation } from './workload/workload.js';

/** A limit that a check judges by and that a user may set, in the configuration under its name. A built-in check has at most three. */
export interface Threshold {
  /** The value used unless the configuration sets another. */
  readonly default: number;
  readonly unit:
    | 'elements'
    | 'bytes'
    | 'share'
    | 'ratio'
    | 'levels'
    | 'operations'
    | 'fields'
    | 'documents'
    | 'joins'
    | 'executions'
    | 'values'
    | 'chunks'
    | 'indexes'
    | 'collections'
    | 'connections'
    | 'ms'
    | 'days';
  /** What the limit decides, as half a sentence: "array length from which a warning is given". */
  readonly description: string;
  /** The document or measurement that the default comes from. */
  readonly source: string;
}

export type Thresholds = Readonly<Record<string, Threshold>>;

/** The values of a check's thresholds in this run. */
export type ThresholdValues<T extends Thresholds> = { readonly [Name in keyof T]: number };

/** What a check found wrong. The engine adds check, title, namespace, docs and fingerprint. */
export interface Problem {
  readonly severity: Severity;
  /** The severity of a sample's figures by themselves, if that is worse than what is sure. */
  readonly severityIfSure?: Severity;
  readonly confidence: Confidence;
  /** Dotted, `[]` for array elements on the way and none at the end; of an index its name; null for the whole collection. */
  readonly path: string | null;
  /** If the path is the name of an index that does not exist: the one to create. */
  readonly pathIs?: 'missing-index';
  /** One or two sentences: what is wrong and how bad, with figures. Never a document value. */
  readonly message: string;
  readonly evidence: FindingEvidence;
  /** The lines of the source that show it. Others that it is about are found. */
  readonly locations?: readonly FindingLocation[];
  /**
   * What the verdict rests on, as far as a later run needs it again to call the finding fixed: "sample", "oplog", or a source of
   * recorded operations.
   */
  readonly restsOn?: readonly string[];
  /** If something rare was found: what shows it by itself, so that later runs can search for it. The baseline keeps it. */
  readonly lookFor?: LookFor;
  readonly remedy: Remedy;
  /** The size at which it was judged, if that is not the present one. */
  readonly judgedAt?: JudgedAt;
  /** The indexes that the remedy's commands create or unhide. Findings that one index would serve share it. Not reported. */
  readonly proposes?: readonly IndexProposal[];
  /** Present if the remedy asks for more than these indexes: it stays a finding of its own. Not reported. */
  readonly proposesInPart?: true;
  /** The recorded operations that it is about: what they cost ranks it and is reported with it. Not reported by itself. */
  readonly operations?: readonly Operation[];
  /** By operation, the documents per execution that the remedy saves, if that is less than all that are wasted. Not reported. */
  readonly saves?: ReadonlyMap<Operation, number>;
  /**
   * What to do about all that the check finds in a database, if no place of them is worth a finding of its own. Two and more are
   * then reported as one, with this remedy. Not reported.
   */
  readonly adviceForAll?: readonly RemedyStep[];
  /** What causes it: the path of a field, or `index` and its name. Findings of a collection with one cause are one. Not reported. */
  readonly causedBy?: string;
}

/** What a check could not judge although its evidence was present, for example because there was too little of it. */
export interface NotJudged {
  readonly notJudged: SkipReason;
  /** A sentence for people: what could not be judged, why, and what would help. */
  readonly detail: string;
  /**
   * True if the check could judge nothing at all of the collection or the cluster: it then does not count among those that
   * judged it. Absent if it judged a part.
   */
  readonly nothingJudged?: true;
}

/** What lies over a line of the literature, and is excused by what the data show: listed, so that a reader can disagree. */
export interface Exempt {
  /** What it is and what excuses it, for people: "up to 3,600 elements, bounded by design: fixed length". */
  readonly exempt: string;
  readonly path: string;
}

export type Verdict = Problem | NotJudged | Exempt;

/** What a check is given: the collection, the evidence that it needs, and as much as there is of what it uses. */
export type Subject<Needs extends EvidenceName, Uses extends EvidenceName = never> = {
  readonly collection: Collection;
} & Pick<CollectionEvidence, Needs> &
  Partial<Pick<CollectionEvidence, Uses>>;

/** What every check says of itself. */
interface CheckMetadata<T extends Thresholds> {
  /** The anti-pattern's name in kebab-case; also the name of the check's file and page. */
  readonly id: string;
  /** The anti-pattern as a headline: "Unbounded array". */
  readonly title: string;
  /** One line for the catalogue, without a full stop: "an array with no visible bound". */
  readonly summary: string;
  /** Address of the check's page, for checks from plugins; a built-in check has its page in `checks/`. */
  readonly docs?: string;
  /** If it applies to what is sharded only, or to runs that have evidence of production, source code, or an upgrade (`for`). */
  readonly appliesWhere?: 'sharded' | 'production' | 'code' | 'upgrade';
  /** Present if it judges the server and its clients, whatever is stored. */
  readonly about?: 'server';
  /**
   * Ids of checks whose finding causes this one's, if it is no less severe, and about the same place or the same recorded
   * operations: this one is then a further reason of it.
   */
  readonly explainedBy?: readonly string[];
  /** True if it runs only if it is asked for: by `--check`, or by a setting in the configuration. For what few act on. */
  readonly optional?: true;
  /** The version of mongolint that it came with, such as "1.2.0"; if absent, a built-in check came with 1.0.0. */
  readonly since?: string;
  /** True in the minor version that it came with: it is reported, and counts only if `preview` is set. */
  readonly preview?: true;
  /** The group that it belongs to, all of whose checks `--group` turns on. Reports show its findings apart from the others. */
  readonly group?: 'safety';
  /** The release whose changes it judges, if it applies to an upgrade. */
  readonly upgradeTo?: Release;
  /** What it can't conclude if all names are pseudonyms, as half a sentence; absent if the form of names tells it nothing. */
  readonly lostByPseudonyms?: string;
  readonly thresholds: T;
  /** Names of former thresholds. A configuration may still hold them: they have no effect, and a run says so. */
  readonly retiredThresholds?: readonly string[];
}

/** A check of one collection. `Needs` are the names of the evidence it rests on; it runs only if all of it is present. */
export interface Check<
  Needs extends EvidenceName = EvidenceName,
  T extends Thresholds = Thresholds,
  Uses extends EvidenceName = EvidenceName,
> extends CheckMetadata<T> {
  readonly scope?: 'collection';
  /** The kinds of collection that it judges; others are not applicable to it. */
  readonly appliesTo: readonly CollectionKind[];
  readonly needs: readonly Needs[];
  /** Evidence by which it judges better, if it is collected anyway. */
  readonly uses?: readonly Uses[];
  judge(subject: Subject<Needs, Uses>, thresholds: ThresholdValues<T>): readonly Verdict[];
}

/** A collection as a cluster check sees it: each piece of evidence is present, or absent with a reason. */
export type KnownCollection<Needs extends EvidenceName> = { readonly collection: Collection } & {
  readonly [Name in Needs]: Evidence<CollectionEvidence[Name]>;
};

/** What a cluster check is given: every linted collection, and evidence of the cluster; of the workload with its joins. */
export type ClusterSubject<Needs extends EvidenceName, ClusterNeeds extends ClusterEvidenceName> = {
  /** By namespace. Views and time-series collections are among them. */
  readonly collections: ReadonlyMap<string, KnownCollection<Needs>>;
  /** What is understood of the source; absent without --code. */
  readonly code?: UnderstoodCode;
} & Pick<TracedClusterEvidence, ClusterNeeds>;

/** A verdict on one namespace; what could not be judged may concern the whole cluster. */
export type ClusterVerdict =
  | (Problem & { readonly namespace: string })
  | (Exempt & { readonly namespace: string })
  | (NotJudged & { readonly namespace?: string });

/**
 * A check that looks at several collections at once, or at the workload: joins, references, targeting. Like any check it is
 * metadata and a pure function.
 */
export interface ClusterCheck<
  Needs extends EvidenceName = EvidenceName,
  ClusterNeeds extends ClusterEvidenceName = ClusterEvidenceName,
  T extends Thresholds = Thresholds,
> extends CheckMetadata<T> {
  readonly scope: 'cluster';
  /** Evidence wanted of each collection. If a piece is absent, the check decides what that means. */
  readonly needs: readonly Needs[];
  /** Evidence of the whole cluster; the check runs only if all of it is present. */
  readonly clusterNeeds: readonly ClusterNeeds[];
  judge(subject: ClusterSubject<Needs, ClusterNeeds>, thresholds: ThresholdValues<T>): readonly ClusterVerdict[];
}

/**
 * Defines a check of one collection, with the types of its needs and thresholds inferred.
 *
 * @throws TypeError if the id is not kebab-case, or a threshold is not a finite number with a source.
 */
export function defineCheck<
  const Needs extends EvidenceName,
  const T extends Thresholds,
  const Uses extends EvidenceName = never,
>(check: Check<Needs, T, Uses>): Check<Needs, T, Uses> {
  assertMetadata(check);
  return check;
}

/** Defines a check of the whole cluster. @throws TypeError as `defineCheck` does. */
export function defineClusterCheck<
  const Needs extends EvidenceName,
  const ClusterNeeds extends ClusterEvidenceName,
  const T extends Thresholds,
>(check: Omit<ClusterCheck<Needs, ClusterNeeds, T>, 'scope'>): ClusterCheck<Needs, ClusterNeeds, T> {
  assertMetadata(check);
  return { ...check, scope: 'cluster' };
}

function assertMetadata(check: { readonly id: string; readonly thresholds: Thresholds }): void {
  if (!/^[a-z][a-z0-9]*(?:[-/][a-z0-9]+)*$/.test(check.id)) {
    throw new TypeError(
      `A check's id is written in kebab-case, such as "unbounded-array"; got ${JSON.stringify(check.id)}.`,
    );
  }
  for (const [name, threshold] of Object.entries(check.thresholds)) {
    if (!Number.isFinite(threshold.default) || threshold.source === '') {
      throw new TypeError(`Threshold "${name}" of check "${check.id}" needs a finite default and a source.`);
    }
  }
}

/** Checks whose needs and thresholds are not known to the type system, as lists of checks hold them. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list of checks is heterogeneous by nature
export type AnyCollectionCheck = Check<any, any, any>;
// oxlint-disable-next-line typescript/no-explicit-any -- a list of checks is heterogeneous by nature
export type AnyClusterCheck = ClusterCheck<any, any, any>;
export type AnyCheck = AnyCollectionCheck | AnyClusterCheck;

/** Tells a check of the whole cluster from one of a single collection. */
export function isClusterCheck(check: AnyCheck): check is AnyClusterCheck {
  return check.scope === 'cluster';
}

export type { ClusterEvidence, ClusterEvidenceName } from './evidence/cluster-evidence.js';
export type { CollectionEvidence, EvidenceName } from './evidence/evidence.js';
export type { Buckets } from './evidence/evidence.js';
export type { CollectionReads } from './workload/reads/collection-reads.js';
export type { Evidence, SkipReason } from './presence.js';
export type {
  ArrayProfile,
  BsonType,
  Distribution,
  DocumentEvidence,
  DocumentProfile,
  DocumentSample,
  ObjectProfile,
  PathProfile,
  TypeCounts,
} from './profile/document-profile.js';
export type { FieldType, FieldTypes } from './profile/field-types.js';
export type { MeasurementSeries } from './evidence/measurements/measurement-series.js';
export type { LargestDocuments } from './profile/largest-documents.js';
export type { ArrayGrowth, GrowthEvidence, LimitForecast, MeasuredGrowth, OplogGrowth } from './growth/growth.js';
export type { IndexUsage } from './evidence/index-usage.js';
export type { ShardingEvidence, ShardPart } from './evidence/sharding/chunks.js';
export type { InsertionOrder, KeyOrder } from './evidence/sharding/insertion-order.js';
export type { ShardKeyEvidence } from './evidence/sharding/shard-key-evidence.js';
export type { StorageStatistics } from './inventory/storage.js';
export type { UnderstoodCode } from './code/understood-code.js';
export type {
  Confidence,
  FindingEvidence,
  FindingLocation,
  Remedy,
  RemedyCommand,
  RemedyStep,
  Severity,
} from './finding.js';
export type { Collection, CollectionKind, IndexDescription } from './inventory/collection.js';
export type { IndexProposal } from './inventory/index-proposal.js';
export type { Balancer, CollectionSharding, Shard } from './inventory/sharding.js';
export type { ChildFamilies, Children } from './references/children/children.js';
export type {
  BackReference,
  ComparedReference,
  CopiedField,
  ReferenceIntegrity,
} from './references/reference-integrity.js';
export type { Reference, References } from './references/references.js';
export type { TracedOperation, TracedWorkload } from './workload/traced-workload.js';
export type { OperationFigures, Workload } from './workload/workload.js';
export type { OplogWindow } from './evidence/cluster-evidence.js';
export type { Safety } from './evidence/safety.js';
export type { Server } from './evidence/cluster-evidence.js';
