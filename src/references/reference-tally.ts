import { BSON, type Document } from 'mongodb';
import { groupedBy } from '../grouped-by.js';
import {
  comparedBack,
  comparedCopy,
  createdAt,
  heldIdentifiers,
  heldReferences,
  isFound,
  referredTo,
  type FoundDocuments,
  type HeldIdentifiers,
  type HeldReference,
} from './compared-documents.js';
import type { CopyCandidate } from './copy-candidates.js';
import { identifierKey } from './identifier-forms.js';
import type { BackReference, CopiedField, CopyHistory, Dangling } from './reference-integrity.js';
import type { BackCandidate, ReferringField } from './referring-fields.js';

export interface ComparedPart {
  readonly documents: readonly Document[];
  readonly found: FoundDocuments;
}

/** The document is null if it is in another collection than the first target, or missing. */
interface FollowedReference {
  readonly reference: HeldReference;
  readonly source: Document | null;
  readonly isFound: boolean;
}

const MOST_IDS = 10;

/** Holds document values: it never leaves this folder. */
export class ReferenceTally {
  readonly #references: readonly FollowedReference[];
  /** By path: many references may lead to one document, whose list is long. */
  readonly #back = new Map<string, Map<Document, HeldIdentifiers>>();

  constructor(
    private readonly field: ReferringField,
    private readonly parts: readonly ComparedPart[],
    private readonly showValues: boolean,
  ) {
    this.#references = parts.flatMap(({ documents, found }) =>
      documents
        .flatMap((document) => heldReferences(document, field.path))
        .map((reference) => ({
          reference,
          source: referredTo(reference, field, found) ?? null,
          isFound: isFound(reference, field, found),
        })),
    );
  }

  get references(): number {
    return this.#references.length;
  }

  get documents(): number {
    return new Set(this.#references.map(({ reference }) => reference.document)).size;
  }

  get values(): number {
    return valuesOf(this.#references);
  }

  furtherTargets(): string[] {
    const further = [...this.field.targets.slice(1), ...this.field.others].map(({ namespace }) => namespace);
    return further.filter((namespace) =>
      this.parts.some(({ found }) =>
        this.#references.some(({ reference: { forms } }) =>
          forms.some(({ key }) => found.get(namespace)?.has(key) === true),
        ),
      ),
    );
  }

  dangling(): Dangling {
    const dangling = this.#references.filter((each) => !each.isFound);
    const documents = documentsOf(dangling);
    return {
      references: dangling.length,
      values: valuesOf(dangling),
      documents: documents.length,
      ...this.#ids(documents),
    };
  }

  /** @param siblings further documents with the same references, for the order in time */
  copied(copy: CopyCandidate, siblings: readonly ComparedPart[]): CopiedField {
    const pairs = this.#references.flatMap(({ reference, source }) => {
      const verdict = source === null ? null : comparedCopy(reference, copy, source);
      return verdict === null || source === null
        ? []
        : [{ reference, source, ...verdict, isEqual: verdict.key === verdict.sourceKey }];
    });
    const differing = documentsOf(pairs.filter(({ isEqual }) => !isEqual));
    const sources = new Map(pairs.map(({ source, sourceKey }) => [identifierKey(source['_id']), sourceKey]));
    const shares = groupedBy(pairs, ({ key }) => key);
    const sourceShares = groupedBy(pairs, ({ sourceKey }) => sourceKey);
    const byChance = [...shares].reduce((sum, [key, of]) => sum + of.length * (sourceShares.get(key)?.length ?? 0), 0);
    const { path, sourcePath, family, isBesideId } = copy;
    return {
      path,
      sourcePath,
      family,
      isBesideId,
      compared: pairs.length,
      differing: pairs.filter(({ isEqual }) => !isEqual).length,
      agreementByChance: pairs.length === 0 ? 0 : byChance / pairs.length ** 2,
      valuesAgreed: new Set(pairs.filter(({ isEqual }) => isEqual).map(({ key }) => key)).size,
      valuesPerSource: sources.size === 0 ? 0 : new Set(sources.values()).size / sources.size,
      history: this.#history(copy, siblings),
      ...this.#ids(differing),
    };
  }

  back(candidate: BackCandidate): BackReference {
    const followed = this.#references.flatMap(({ reference, source }) =>
      source === null ? [] : [{ reference, back: this.#heldBack(source, candidate) }],
    );
    const longest = followed.reduce((most, { back }) => Math.max(most, back.references), 0);
    const compared = followed.flatMap(({ reference, back }) => {
      const verdict = comparedBack(reference, this.field, candidate, back, longest);
      return verdict === null ? [] : [{ reference, verdict }];
    });
    const oneSided = compared.filter(({ verdict }) => verdict === 'does not');
    return {
      ...candidate,
      followed: followed.length,
      compared: compared.length,
      oneSided: oneSided.length,
      ...this.#ids(documentsOf(oneSided)),
    };
  }

  /** Documents to read again: a reference dangles, a copy differs, or a target does not refer back. */
  suspicious({ copies, backReferences }: Pick<ReferringField, 'copies' | 'backReferences'>): Document[] {
    return documentsOf(
      this.#references.filter(({ reference, source, isFound: found }) => {
        if (!found || source === null) return !found;
        const isBackMissing = (candidate: BackCandidate) =>
          comparedBack(reference, this.field, candidate, this.#heldBack(source, candidate), Infinity) === 'does not';
        return copies.some((copy) => isDiffering(reference, copy, source)) || backReferences.some(isBackMissing);
      }),
    );
  }

  differingValues(): unknown[] {
    const differing = this.#references.filter(
      ({ reference, source }) =>
        source !== null && this.field.copies.some((copy) => isDiffering(reference, copy, source)),
    );
    return [...new Map(differing.map(({ reference: { forms } }) => [forms[0]?.key, forms[0]?.value])).values()];
  }

  #heldBack(source: Document, { path }: BackCandidate): HeldIdentifiers {
    const ofPath = this.#back.get(path) ?? new Map<Document, HeldIdentifiers>();
    const held = ofPath.get(source) ?? heldIdentifiers(source, path);
    this.#back.set(path, ofPath.set(source, held));
    return held;
  }

  #history(copy: CopyCandidate, siblings: readonly ComparedPart[]): CopyHistory {
    const further = new ReferenceTally(this.field, siblings, false).#references;
    const written = [...this.#references, ...further].flatMap(({ reference, source }) => {
      const verdict = source === null ? null : comparedCopy(reference, copy, source);
      const at = createdAt(reference.document);
      return verdict === null || source === null || at === null
        ? []
        : [{ at, id: identifierKey(source['_id']), isEqual: verdict.key === verdict.sourceKey }];
    });
    const history = { updated: 0, untouched: 0 };
    for (const copies of groupedBy(written, ({ id }) => id).values()) {
      const [equal, differing] = [true, false].map((wanted) =>
        copies.filter(({ isEqual }) => isEqual === wanted).map(({ at }) => at),
      );
      if (equal === undefined || differing === undefined || equal.length === 0 || differing.length === 0) continue;
      if (Math.min(...equal) < Math.max(...differing)) history.updated += 1;
      else if (Math.max(...differing) < Math.min(...equal)) history.untouched += 1;
    }
    return history;
  }

  #ids(documents: readonly Document[]): { readonly ids?: readonly string[] } {
    if (!this.showValues || documents.length === 0) return {};
    return { ids: documents.slice(0, MOST_IDS).map(({ _id }) => BSON.EJSON.stringify(_id, { relaxed: true })) };
  }
}

function isDiffering(reference: HeldReference, copy: CopyCandidate, source: Document): boolean {
  const verdict = comparedCopy(reference, copy, source);
  return verdict !== null && verdict.key !== verdict.sourceKey;
}

function valuesOf(references: readonly FollowedReference[]): number {
  return new Set(references.map(({ reference }) => reference.forms[0]?.key)).size;
}

function documentsOf(references: readonly { readonly reference: HeldReference }[]): Document[] {
  return [...new Set(references.map(({ reference }) => reference.document))];
}
