import type { Document } from 'mongodb';
import pLimit from 'p-limit';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { groupedBy } from '../grouped-by.js';
import type { Collection } from '../inventory/collection.js';
import type { Absent } from '../presence.js';
import { queryPath } from '../profile/path-steps.js';
import { type Failure, gapsOf } from '../workload/sources/source.js';
import { type FoundDocuments, heldReferences } from './compared-documents.js';
import { findInGroups } from './grouped-finds.js';
import { byIdentifier, documentsById, documentsWithIds, spread } from './id-reads.js';
import { distinctValues, formsOf } from './identifier-forms.js';
import type { ReferringField } from './referring-fields.js';
import type { ReferringSample } from './referring-sample.js';

interface AskedTarget {
  readonly target: Collection;
  readonly values: readonly unknown[];
  /** Wanted of its documents. */
  readonly paths: readonly string[];
}

/** Looks referred-to documents up by `_id`: once per collection for all fields together. */
export class ReferenceLookUps {
  constructor(
    private readonly families: ReadonlyMap<Collection, ReadonlySet<string> | null>,
    readonly reads: BoundedReads,
  ) {}

  /**
   * @param where the collections in which a field's references are looked for
   * @param most values of each field
   */
  async run(
    reader: ClusterReader,
    samples: readonly ReferringSample[],
    where: (field: ReferringField) => readonly Collection[],
    most = Infinity,
  ): Promise<FoundDocuments> {
    const wanted = samples.flatMap(({ fields, documents }) =>
      fields.flatMap((field) => {
        const references = documents.flatMap((document) => heldReferences(document, field.path));
        const forms = spread(references, most).flatMap((reference) => reference.forms);
        return forms.length === 0 ? [] : where(field).map((target) => ({ field, target, forms }));
      }),
    );
    const asked = [...groupedBy(wanted, ({ target }) => target)].map(([target, ofTarget]) => {
      const paths = ofTarget
        .filter(({ field }) => field.targets[0] === target)
        .flatMap(({ field }) => sourcePaths(field));
      const forms = ofTarget.flatMap((each) => formsOf(each.forms, this.families.get(target) ?? null));
      return { target, paths, values: distinctValues(forms) };
    });
    const ofDatabases = [...groupedBy(asked, ({ target }) => target.database).values()];
    const found = await Promise.all(ofDatabases.map((ofDatabase) => lookUpTargets(reader, ofDatabase, this.reads)));
    return new Map(found.flatMap((each) => [...each].map(([{ namespace }, documents]) => [namespace, documents])));
  }
}

/** Documents of one database by `_id`, of several collections in one command; without collections that could not be read. */
export async function lookUpTargets(
  reader: ClusterReader,
  asked: readonly AskedTarget[],
  reads: BoundedReads,
): Promise<ReadonlyMap<Collection, ReadonlyMap<string, Document>>> {
  const finds = asked.flatMap(({ target, values, paths }) => documentsWithIds(target, values, paths) ?? []);
  const inGroups = await findInGroups(reader, finds, (read) => reads.limited(read));
  const found = await Promise.all(
    asked.map(async ({ target, values, paths }) => {
      const read =
        inGroups.get(target) ?? (await reads.attempt(target, () => documentsById(reader, target, values, paths)));
      return read === null ? [] : [[target, byIdentifier(read)] as const];
    }),
  );
  return new Map(found.flat());
}

function sourcePaths({ copies, backReferences }: ReferringField): string[] {
  return [...copies.map(({ sourcePath }) => sourcePath), ...backReferences.map(({ path }) => queryPath(path))];
}

/** The second map wins: its documents have the fields that are compared. */
export function together(first: FoundDocuments, second: FoundDocuments): FoundDocuments {
  const namespaces = [...new Set([...first.keys(), ...second.keys()])];
  return new Map(
    namespaces.map((namespace) => [
      namespace,
      new Map([...(first.get(namespace) ?? []), ...(second.get(namespace) ?? [])]),
    ]),
  );
}

export class BoundedReads {
  readonly #limit;
  readonly #failures: Failure[] = [];

  /** @param operation half a sentence before the name of a collection: "looking for references in" */
  constructor(
    concurrency: number,
    private readonly operation: string,
  ) {
    this.#limit = pLimit(concurrency);
  }

  /** For reads whose failure is no gap. */
  limited<T>(read: () => Promise<T>): Promise<T> {
    return this.#limit(read);
  }

  async attempt<T>({ namespace }: Collection, read: () => Promise<T>): Promise<T | null> {
    try {
      return await this.#limit(read);
    } catch (error) {
      this.#failures.push({ place: namespace, error });
      return null;
    }
  }

  gaps(): Absent[] {
    return gapsOf(this.#failures, { operation: this.operation, privilege: 'find on it' });
  }
}
