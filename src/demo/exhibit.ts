import type { Db } from 'mongodb';

/** A collection that the demo plants. */
export interface PlantedCollection {
  /** Its name in the demo's database. */
  readonly name: string;
  /** Further collections that it plants, for joins. */
  readonly beside?: readonly string[];
  plant(database: Db): Promise<void>;
  /** One round of what an application writes to it while it is linted; absent where it is at rest. */
  write?(database: Db): Promise<void>;
}

/** One anti-pattern beside its well-designed twin: the check must fire on the one and stay silent on the other. */
export interface Exhibit {
  /** Id of the check. */
  readonly check: string;
  /** What the two collections are about, as half a sentence: "comments kept inside their blog post". */
  readonly story: string;
  readonly bad: PlantedCollection & {
    /** The path that the finding must name; null where it is about the whole collection. */
    readonly path: string | null;
  };
  readonly twin: PlantedCollection;
  /** Thresholds that the demo sets for this check, which is then run on these two collections alone. */
  readonly thresholds?: Readonly<Record<string, number>>;
  /** Why the defaults would show nothing in a demo, as half a sentence. */
  readonly thresholdsBecause?: string;
}
