import type { ClusterSubject, ComparedReference, Confidence, Severity } from '../../src/check.js';
import { formatCount, plural } from '../../src/format.js';
import { documentsOf } from '../../src/judgement/joins/joined-cluster.js';
import { STATED_RISK } from '../../src/judgement/margins.js';
import {
  referencesWithin,
  seenReferences,
  surelySevere,
  type SureSeverity,
} from '../../src/judgement/references/seen-references.js';
import { LINE_RISK } from '../../src/profile/sampling/confidence.js';

export type Subject = ClusterSubject<'indexes' | 'storage' | 'fieldTypes', 'referenceIntegrity'>;

type ReferenceLimits = Readonly<Record<'info' | 'warning' | 'documents', number>>;

/** References from which a share is fully reliable. */
const REFERENCES_FOR_HIGH = 100;

export function graded(
  { references: hits, documents }: Readonly<Record<'references' | 'documents', number>>,
  references: number,
  reference: ComparedReference,
  subject: Subject,
  limits: ReferenceLimits,
  isHarmless: boolean,
): SureSeverity | null {
  const all = documentsOf(subject, reference.namespace);
  const seen = seenReferences(reference, all);
  const severities = surelySevere(hits, references, seen, { ...limits, error: Infinity });
  if (severities === null) return null;
  const estimated = estimatedDocuments(reference, documents, all);
  const atLeast = reference.complete ? documents : (estimatedRange(reference, documents, all, LINE_RISK)?.[0] ?? null);
  const mild = (severity: Severity, least: number | null) =>
    severity === 'warning' && (isHarmless || (least !== null && least < limits.documents)) ? 'info' : severity;
  return {
    severity: mild(severities.severity, atLeast),
    ...(severities.severityIfSure !== undefined && { severityIfSure: mild(severities.severityIfSure, estimated) }),
  };
}

/** True if the server removes documents by itself: by a TTL index, or in a capped collection. */
export function isRemovedByDesign({ collections }: Subject, namespace: string): boolean {
  const { indexes, collection } = collections.get(namespace) ?? {};
  const known = indexes?.present === true ? indexes.value : [];
  return known.some((index) => index.expireAfterSeconds !== undefined) || collection?.capped !== undefined;
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

/** The sample's documents extrapolated to the `all` of the collection; null if it is not known how many those are. */
export function estimatedDocuments({ sampled, complete }: ComparedReference, documents: number, all: number | null) {
  return complete ? documents : all && Math.round((documents / sampled) * all);
}

/** Within which their number lies, but for a risk on each side; null if all were read, or it is not known how many there are. */
export function estimatedRange(reference: ComparedReference, documents: number, all: number | null, risk: number) {
  if (reference.complete || all === null) return null;
  const [low, high] = referencesWithin(documents, reference.sampled, seenReferences(reference, all), risk);
  return [Math.max(documents, Math.floor(low * all)), Math.ceil(high * all)] as const;
}

/** "5 of 1,000 sampled documents, so an estimated 20–120 documents in all". */
export function estimateText(reference: ComparedReference, documents: number, all: number | null): string {
  const range = estimatedRange(reference, documents, all, STATED_RISK);
  if (range === null) return plural(documents, 'document');
  const [low, high] = range.map((each) => formatCount(Math.max(documents, Number(each.toPrecision(2)))));
  return `${formatCount(documents)} of ${formatCount(reference.sampled)} sampled documents, so an estimated ${low}–${high} documents in all`;
}
