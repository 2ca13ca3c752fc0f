import type { ClusterSubject, ComparedReference, Confidence, Severity } from '../../src/check.js';
import { documentsOf } from '../../src/judgement/joins/joined-cluster.js';
import { seenReferences, surelySevere, type SureSeverity } from '../../src/judgement/references/seen-references.js';
import { LINE_RISK } from '../../src/profile/sampling/confidence.js';
import { estimatedDocuments, estimatedRange } from './estimated-documents.js';

export type Subject = ClusterSubject<'indexes' | 'storage' | 'fieldTypes', 'referenceIntegrity'>;

export interface ReferenceLimits {
  readonly info: number;
  readonly warning: number;
  readonly documents: number;
}

/** References from which a share is fully reliable. */
const REFERENCES_FOR_HIGH = 100;

interface FaultyReferences {
  readonly hits: number;
  readonly references: number;
  /** That hold them. */
  readonly documents: number;
}

export function graded(
  { hits, references, documents }: FaultyReferences,
  reference: ComparedReference,
  subject: Subject,
  limits: ReferenceLimits,
  isHarmless: boolean,
): SureSeverity | null {
  const all = documentsOf(subject, reference.namespace);
  const seen = seenReferences(reference, all);
  const severities = surelySevere(hits, references, seen, {
    info: limits.info,
    warning: limits.warning,
    error: Infinity,
  });
  if (severities === null) return null;
  const range = estimatedRange(reference, documents, all, LINE_RISK);
  const estimated = estimatedDocuments(reference, documents, all);
  const mild = (severity: Severity, least: number | null) =>
    severity === 'warning' && (isHarmless || (least !== null && least < limits.documents)) ? 'info' : severity;
  return {
    severity: mild(severities.severity, range?.[0] ?? null),
    ...(severities.severityIfSure !== undefined && { severityIfSure: mild(severities.severityIfSure, estimated) }),
  };
}

/** True if the server removes documents by itself: by a TTL index, or in a capped collection. */
export function isRemovedByDesign({ collections }: Subject, namespace: string): boolean {
  const known = collections.get(namespace);
  const isExpiring =
    known?.indexes.present === true &&
    known.indexes.value.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
  return isExpiring || known?.collection.capped !== undefined;
}

export function isSharded({ collections }: Subject, namespace: string): boolean {
  return collections.get(namespace)?.collection.sharding !== undefined;
}

/** A value may be an `_id` in a collection that was not searched, or could not be read. */
export function confidenceOf(
  { references, conversion, namespace, isSoughtEverywhere }: ComparedReference,
  { collections }: Subject,
): Confidence {
  const database = collections.get(namespace)?.collection.database;
  const unread = [...collections.values()].some(
    ({ collection, fieldTypes }) =>
      collection.kind === 'collection' && collection.database === database && !fieldTypes.present,
  );
  return references >= REFERENCES_FOR_HIGH && conversion === null && isSoughtEverywhere && !unread ? 'high' : 'medium';
}
