import type { Cluster } from '../connect/connect.js';
import type { UserState } from '../connect/user-rights.js';
import type { Inventory } from '../inventory/inventory.js';
import type { Evidence } from '../presence.js';
import type { Operation, Workload } from '../workload/workload.js';
import type { ClusterEvidence, ClusterEvidenceName } from '../evidence/cluster-evidence.js';
import type { RunEnd } from '../evidence/evidence-run.js';
import type { FileCollection } from './file-collection.js';

export const EVIDENCE_FORMAT = 'mongolint evidence';
/** Rises with each change of what a line holds. Files of an older version are read, those of a newer one are refused. */
export const EVIDENCE_VERSION = 2;

/** The first line. */
export interface HeaderLine {
  readonly kind: 'header';
  readonly format: typeof EVIDENCE_FORMAT;
  readonly version: number;
  readonly tool: { readonly name: string; readonly version: string };
  /** In ISO 8601. */
  readonly startedAt: string;
  /** The alias of the configuration. */
  readonly target?: string;
  /** Present if all names are pseudonyms: files with the same value were written with the same secret. */
  readonly pseudonyms?: string;
  readonly cluster: Cluster;
  /** By which another file of the same cluster is recognised. */
  readonly marks?: readonly string[];
  readonly settings: CollectingSettings;
  /** How many there are. */
  readonly collections: number;
  readonly unlisted: Inventory['unlisted'];
  readonly shardingUnknown?: Inventory['shardingUnknown'];
}

/** What bounded the run, in documents, bytes, collections at once, and ms. */
export interface CollectingSettings {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly sampleSize: number;
  readonly sampleBytes: number;
  readonly deep: boolean;
  readonly concurrency: number;
  readonly timeout: number;
  readonly maxTime: number;
}

/** A line for each collection, in the order in which they were read. */
export interface CollectionLine extends FileCollection {
  readonly kind: 'collection';
}

/** A line for each piece of evidence of the cluster; the operations of the workload follow in lines of their own. */
export interface ClusterLine {
  readonly kind: 'cluster';
  readonly evidence: {
    readonly [Name in Exclude<ClusterEvidenceName, 'workload'>]?: Evidence<ClusterEvidence[Name]>;
  } & {
    readonly workload?: Evidence<Omit<Workload, 'operations'>>;
  };
}

export interface OperationLine {
  readonly kind: 'operation';
  readonly operation: Operation;
}

/** The last line: without it, the file is cut off. */
export interface FooterLine extends Omit<RunEnd, 'finishedAt'> {
  readonly kind: 'footer';
  /** In ISO 8601. */
  readonly finishedAt: string;
  readonly user: UserState;
  /** Counts of lines. */
  readonly lines: { readonly collections: number; readonly operations: number; readonly total: number };
  /** Of all lines before, with their ends, and of this one without it; in hexadecimal. */
  readonly sha256: string;
}

export type EvidenceLine = HeaderLine | CollectionLine | ClusterLine | OperationLine | FooterLine;
