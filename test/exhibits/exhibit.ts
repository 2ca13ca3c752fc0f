import type { Db } from 'mongodb';
import { builtInChecks } from '../../checks/index.js';

export interface PlantedCollection {
  readonly name: string;
  plant(database: Db): Promise<unknown>;
  /** One round of what an application writes to it while it is linted; absent if it is at rest. */
  write?(database: Db): Promise<unknown>;
}

export interface FaultyCollection extends PlantedCollection {
  /** The path that the finding must name; null if it is about the whole collection. */
  readonly path: string | null;
}

/** One anti-pattern beside its well-designed twin: the check must fire on the one and stay silent on the other. */
export interface Exhibit {
  /** Id of the check. */
  readonly check: string;
  /** Half a sentence about the two collections: "comments kept inside their blog post". */
  readonly story: string;
  readonly bad: FaultyCollection;
  readonly twin: PlantedCollection;
  /** True if it is planted with commands that a member of a replica set answers and a router does not. */
  readonly needsMember?: true;
  /** They apply to these two collections only. */
  readonly thresholds?: Readonly<Record<string, number>>;
}

type Plant = (database: Db, name: string) => Promise<unknown>;

/** A collection that is planted by its name, and is at rest. */
export function planted(name: string, plant: Plant): PlantedCollection {
  return { name, plant: (database) => plant(database, name) };
}

/** The same with what the finding must name. */
export function faulty(name: string, path: string | null, plant: Plant): FaultyCollection {
  return { ...planted(name, plant), path };
}

/** In the order of their checks. */
export function inOrder(exhibits: readonly Exhibit[]): readonly Exhibit[] {
  const place = ({ check }: Exhibit) => builtInChecks.findIndex(({ id }) => id === check);
  return [...exhibits].sort((a, b) => place(a) - place(b));
}
