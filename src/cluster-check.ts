import type { NotJudged, Problem, ThresholdValues, Thresholds } from './check.js';
import type { ClusterEvidence, ClusterEvidenceName } from './evidence/cluster-evidence.js';
import type { CollectionEvidence, EvidenceName } from './evidence/evidence.js';
import type { Evidence } from './presence.js';
import type { Collection } from './inventory/collection.js';

/** A collection as a cluster check sees it: each piece of evidence is present, or absent with a reason. */
export type KnownCollection<Needs extends EvidenceName> = { readonly collection: Collection } & {
  readonly [Name in Needs]: Evidence<CollectionEvidence[Name]>;
};

/** What a cluster check is given: every linted collection with the evidence it needs, and evidence of the whole cluster. */
export type ClusterSubject<Needs extends EvidenceName, ClusterNeeds extends ClusterEvidenceName> = {
  /** By namespace. Views and time-series collections are among them. */
  readonly collections: ReadonlyMap<string, KnownCollection<Needs>>;
} & Pick<ClusterEvidence, ClusterNeeds>;

/** A verdict on one namespace; what could not be judged may concern the whole cluster. */
export type ClusterVerdict = (Problem & { readonly namespace: string }) | (NotJudged & { readonly namespace?: string });

/**
 * A check that looks at several collections at once, or at the workload: joins, references, targeting. Like any check it is
 * metadata and a pure function.
 */
export interface ClusterCheck<
  Needs extends EvidenceName = EvidenceName,
  ClusterNeeds extends ClusterEvidenceName = ClusterEvidenceName,
  T extends Thresholds = Thresholds,
> {
  readonly scope: 'cluster';
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** Address of the check's page, for checks from plugins. */
  readonly docs?: string;
  /** Evidence wanted of each collection. Where a piece is absent, the check decides what that means. */
  readonly needs: readonly Needs[];
  /** Evidence of the whole cluster; the check is run only where all of it is present. */
  readonly clusterNeeds: readonly ClusterNeeds[];
  readonly thresholds: T;
  judge(subject: ClusterSubject<Needs, ClusterNeeds>, thresholds: ThresholdValues<T>): readonly ClusterVerdict[];
}
