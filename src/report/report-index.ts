import type { Report } from './report.js';
import type { ReportedCollection } from './reported-collection.js';

type LookUp = NonNullable<Report['lookUps']>[number];

/** Collections and known findings of a report, by their names. */
export class ReportIndex {
  readonly target: Report['target'];
  readonly recorded: NonNullable<Report['recorded']>;
  /** Whether the run read source code. */
  readonly hasCode: boolean;
  readonly #collections: ReadonlyMap<string, ReportedCollection>;
  readonly #lookUps: ReadonlyMap<string, LookUp>;

  constructor({
    target,
    collections,
    recorded = [],
    lookUps = [],
    code,
  }: Pick<Report, 'target' | 'collections' | 'recorded' | 'lookUps' | 'code'>) {
    this.hasCode = code !== undefined;
    this.target = target;
    this.recorded = recorded;
    this.#collections = new Map(collections.map((collection) => [collection.namespace, collection]));
    this.#lookUps = new Map(lookUps.map((lookUp) => [lookUp.fingerprint, lookUp]));
  }

  collection(namespace: string): ReportedCollection | undefined {
    return this.#collections.get(namespace);
  }

  lookUp(fingerprint: string): LookUp | undefined {
    return this.#lookUps.get(fingerprint);
  }
}
