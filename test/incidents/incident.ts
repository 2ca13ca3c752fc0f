import type { Db } from 'mongodb';
import type { Severity } from '../../src/finding.js';
import type { Planting } from '../designs/planting.js';

/** A trouble with MongoDB that somebody told of in public, rebuilt at a size that a small server takes. Labelled before the first run. */
export interface Incident {
  /** Also the name of its database: lower case and hyphens. */
  readonly name: string;
  /** The address of the thread, issue or article. */
  readonly source: string;
  /** What happened, and the cause that the thread found. */
  readonly why: string;
  /** What an expert wants a report about this database to say. Empty for a design that is sound. */
  readonly faults: readonly {
    readonly what: string;
    /** The collection that the fault is about. */
    readonly collection: string;
    /** What a finding about it names: a field or an operation, as text that its path, message, shapes or commands contain. */
    readonly about: string;
    /** The severity that an expert gives it at the size planted here: see "Severity" in DESIGN.md. */
    readonly severity: Severity;
    /** The cure that the thread found, in a line; a createIndex command if the cure is an index. */
    readonly cure: string;
    /** What a report says of it instead, and the reason. Left out if it says it at this severity. */
    readonly short?: { readonly told: Severity | 'missed'; readonly why: string };
  }[];
  /** Plants the data with the indexes that the application has. */
  plant(planting: Planting): Promise<void>;
  /** What the application does. Everything is recorded by the profiler; call each operation as often as it stands in relation to the others. */
  use(database: Db, planting: Planting): Promise<void>;
}
