import { Binary, ObjectId, type Document } from 'mongodb';
import { queryPath } from '../profile/path-steps.js';
import type { CopyCandidate } from './copy-candidates.js';
import { identifierForms, identifierKey, type IdentifierForm } from './identifier-forms.js';
import type { BackCandidate, ReferringField } from './referring-fields.js';
import { heldValues } from './referring-sample.js';

/** Holds document values: it never leaves this folder. */
export interface HeldReference {
  readonly document: Document;
  /** The document, or the object in it that holds the reference. */
  readonly holder: Document;
  /** The value as it is, and converted to other types of `_id`. */
  readonly forms: readonly IdentifierForm[];
}

export type FoundDocuments = ReadonlyMap<string, ReadonlyMap<string, Document>>;

/** Null if one of the two has no value. */
export type CopyVerdict = { readonly key: string; readonly sourceKey: string } | null;

/** Null if the target could not have referred back. */
export type BackVerdict = 'refers back' | 'does not' | null;

/** Ids that mean "no reference". */
const PLACEHOLDERS = new Set(['string ', `objectId ${'0'.repeat(24)}`, `binData 4 ${'0'.repeat(32)}`]);

export function heldReferences(document: Document, path: string): HeldReference[] {
  return heldValues(document, queryPath(path)).flatMap(({ value, holder }) => {
    const forms = identifierForms(value);
    const [itself] = forms;
    return itself === undefined || PLACEHOLDERS.has(itself.key) ? [] : [{ document, holder, forms }];
  });
}

/** Undefined if the reference is to another target, or to nothing. */
export function referredTo(
  { forms }: HeldReference,
  { targets: [target] }: ReferringField,
  found: FoundDocuments,
): Document | undefined {
  const documents = found.get(target.namespace);
  return forms.map(({ key }) => documents?.get(key)).find((document) => document !== undefined);
}

export function isFound({ forms }: HeldReference, { targets, others }: ReferringField, found: FoundDocuments): boolean {
  return [...targets, ...others].some(({ namespace }) =>
    forms.some(({ key }) => found.get(namespace)?.has(key) === true),
  );
}

export function comparedCopy(
  { holder }: HeldReference,
  { pathFromHolder, sourcePath }: CopyCandidate,
  source: Document,
): CopyVerdict {
  const [key, sourceKey] = [valueKey(holder, pathFromHolder), valueKey(source, sourcePath)];
  return key === null || sourceKey === null ? null : { key, sourceKey };
}

/** What a document refers to by one field. */
export interface HeldIdentifiers {
  readonly references: number;
  /** In all their forms. */
  readonly keys: ReadonlySet<string>;
}

export function heldIdentifiers(document: Document, path: string): HeldIdentifiers {
  const held = heldReferences(document, path);
  return { references: held.length, keys: new Set(held.flatMap(({ forms }) => forms.map(({ key }) => key))) };
}

/**
 * A target with one other reference proves nothing, nor does a list of the greatest `longest` seen.
 *
 * @param back what the target refers to by the candidate
 */
export function comparedBack(
  { document }: HeldReference,
  { isInArray: isReferenceInArray }: ReferringField,
  { isInArray }: BackCandidate,
  back: HeldIdentifiers,
  longest: number,
): BackVerdict {
  const id = identifierKey(document['_id']);
  if (id === null) return null;
  if (back.keys.has(id)) return 'refers back';
  if (isInArray) return back.references >= longest ? null : 'does not';
  return isReferenceInArray || back.references === 0 ? 'does not' : null;
}

/** In seconds, by its ObjectId; null without one. */
export function createdAt({ _id: id }: Document): number | null {
  return id instanceof ObjectId ? id.getTimestamp().getTime() / 1_000 : null;
}

/** Null for several values, and for types that are not compared. */
function valueKey(document: Document, path: string): string | null {
  const [held, ...more] = heldValues(document, path);
  const value = held?.value;
  if (more.length > 0) return null;
  if (typeof value === 'string') return `string ${value}`;
  if (value instanceof Date) return `date ${value.getTime()}`;
  if (value instanceof ObjectId || value instanceof Binary) return identifierKey(value);
  return null;
}
