import type { Document } from 'mongodb';
import { DriftComparison } from '../../src/drift/drift-comparison.js';
import type { ComparedRunFacts } from '../../src/drift/drift-comparison.js';
import type { Drift } from '../../src/drift/drift.js';
import type { CollectedEvidence, KeptCollection } from '../../src/evidence/source.js';
import type { Collection, IndexDescription } from '../../src/inventory/collection.js';
import type { MappedDatabase } from '../../src/inventory/namespace-glob.js';
import { present } from '../../src/presence.js';
import type { DocumentEvidence } from '../../src/profile/document-profile.js';
import { ID_INDEX } from './checks/index-builders.js';
import { storage } from './checks/sharded-evidence.js';
import { profileOf } from './documents/profiles.js';

export interface ComparedCollectionSpec {
  readonly collection?: Partial<Collection>;
  readonly indexes?: readonly IndexDescription[];
  readonly documents?: readonly Document[];
  /** False if the documents are a random sample. */
  readonly complete?: boolean;
  readonly sizes?: { readonly count: number; readonly averageDocumentSize: number };
  readonly evidence?: CollectedEvidence;
}

/** A collection with an index on `_id`, ten documents and everything read, unless told otherwise. */
export function comparedCollection(namespace: string, spec: ComparedCollectionSpec = {}): KeptCollection {
  const [database = '', name = ''] = namespace.split(/\.(.*)/);
  const { indexes = [], documents = [], complete = true, sizes = { count: 10, averageDocumentSize: 100 } } = spec;
  const sample = {
    method: complete ? 'whole-collection' : 'random-cursor',
    complete,
    boundedBy: null,
    elapsed: 1,
  } as const;
  const profile: DocumentEvidence = { sample, profile: profileOf(documents.length === 0 ? [{ _id: 1 }] : documents) };
  return {
    collection: { namespace, database, name, kind: 'collection', clustered: false, ...spec.collection },
    evidence: {
      indexes: present([ID_INDEX, ...indexes]),
      documents: present(profile),
      storage: present(storage({ ...sizes, size: sizes.count * sizes.averageDocumentSize })),
      ...spec.evidence,
    },
  };
}

export function comparedRun(changes: Partial<ComparedRunFacts> = {}): ComparedRunFacts {
  return {
    cluster: {
      topology: 'replicaSet',
      version: '6.0.27',
      engine: { name: 'MongoDB', version: null },
    },
    inventory: { unlisted: [] },
    globs: [],
    ...changes,
  };
}

export interface ComparedSide {
  readonly run?: Partial<ComparedRunFacts>;
  readonly collections: readonly KeptCollection[];
}

export function drift(older: ComparedSide, newer: ComparedSide, databases: readonly MappedDatabase[] = []): Drift {
  const comparison = new DriftComparison({ old: 'old.jsonl', new: 'new.jsonl' }, databases);
  for (const [side, { run, collections }] of [
    ['old', older],
    ['new', newer],
  ] as const) {
    comparison.begin(side, comparedRun(run));
    for (const collection of collections) comparison.take(side, collection);
  }
  return comparison.result();
}

/** What differs of one collection. */
export function driftOf(before: ComparedCollectionSpec, after: ComparedCollectionSpec): Drift {
  const side = (spec: ComparedCollectionSpec) => ({ collections: [comparedCollection('shop.orders', spec)] });
  return drift(side(before), side(after));
}
