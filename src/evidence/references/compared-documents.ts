import { Binary, ObjectId, type Document } from 'mongodb';
import { queryPath } from '../documents/path-steps.js';
import type { CopyCandidate } from './copy-candidates.js';
import { identifierForms, identifierKey, type IdentifierForm } from './identifier-forms.js';
import type { BackCandidate, ReferringField } from './referring-fields.js';
import { heldValues } from './stored-values.js';

/** One reference of one document. Holds document values: it never leaves this folder. */
export interface HeldReference {
  /** The document that refers. */
  readonly document: Document;
  /** The object that holds the reference: the document, or one in it. */
  readonly holder: Document;
  /** The value as it is, and as what else it may be an `_id`. */
  readonly forms: readonly IdentifierForm[];
}

/** The documents that were found, by target, by the keys of their `_id`s. */
export type FoundDocuments = ReadonlyMap<string, ReadonlyMap<string, Document>>;

/** A copy held against its source; null where one of the two has no value. */
export type CopyVerdict = { readonly key: string; readonly sourceKey: string } | null;

/** What a target says of the document that refers to it; null where it could not have referred back. */
export type BackVerdict = 'refers back' | 'does not' | null;

/** Ids that stand for none. */
const PLACEHOLDERS = new Set(['string ', `objectId ${'0'.repeat(24)}`, `binData 4 ${'0'.repeat(32)}`]);

/** The references of a document, without nulls and what else stands for none. */
export function heldReferences(document: Document, path: string): HeldReference[] {
  return heldValues(document, queryPath(path)).flatMap(({ value, holder }) => {
    const forms = identifierForms(value);
    const [itself] = forms;
    return itself === undefined || PLACEHOLDERS.has(itself.key) ? [] : [{ document, holder, forms }];
  });
}

/** The document of the first target that a reference is to; undefined where it is in another target, or in none. */
export function referredTo(
  { forms }: HeldReference,
  { targets: [target] }: ReferringField,
  found: FoundDocuments,
): Document | undefined {
  const documents = found.get(target.namespace);
  return forms.map(({ key }) => documents?.get(key)).find((document) => document !== undefined);
}

/** True where the reference is to a document of any collection looked in. */
export function isFound({ forms }: HeldReference, { targets, others }: ReferringField, found: FoundDocuments): boolean {
  return [...targets, ...others].some(({ namespace }) =>
    forms.some(({ key }) => found.get(namespace)?.has(key) === true),
  );
}

/** A copy and its source, each as one text per value. */
export function comparedCopy(
  { holder }: HeldReference,
  { pathFromHolder, sourcePath }: CopyCandidate,
  source: Document,
): CopyVerdict {
  const [key, sourceKey] = [valueKey(holder, pathFromHolder), valueKey(source, sourcePath)];
  return key === null || sourceKey === null ? null : { key, sourceKey };
}

/**
 * Whether the target refers back. A target that refers to one document alone says nothing of a second one that refers to it;
 * and a list that is as long as any may be full.
 *
 * @param longest elements of the longest list of back-references seen
 */
export function comparedBack(
  { document }: HeldReference,
  { isInArray: isReferenceInArray }: ReferringField,
  { path, isInArray }: BackCandidate,
  source: Document,
  longest: number,
): BackVerdict {
  const id = identifierKey(document['_id']);
  const back = heldReferences(source, path);
  if (id === null) return null;
  if (back.some(({ forms }) => forms.some(({ key }) => key === id))) return 'refers back';
  if (isInArray) return back.length >= longest ? null : 'does not';
  return isReferenceInArray || back.length === 0 ? 'does not' : null;
}

/** When a document was created, in seconds, as its ObjectId tells; null where it has none. */
export function createdAt({ _id: id }: Document): number | null {
  return id instanceof ObjectId ? id.getTimestamp().getTime() / 1_000 : null;
}

/** One text per value of the families that copies are compared in; null for what is of none of them, and for several values. */
function valueKey(document: Document, path: string): string | null {
  const [held, ...more] = heldValues(document, path);
  const value = held?.value;
  if (more.length > 0) return null;
  if (typeof value === 'string') return `string ${value}`;
  if (value instanceof Date) return `date ${value.getTime()}`;
  if (value instanceof ObjectId || value instanceof Binary) return identifierKey(value);
  return null;
}
