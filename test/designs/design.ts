import type { Db } from 'mongodb';
import type { Planting } from './planting.js';

/** A schema as somebody might have built it, labelled before mongolint saw it. Each has a database of its own. */
export interface Design {
  /** Also the name of its database: lower case and hyphens. */
  readonly name: string;
  /** Where it is from: a page of MongoDB's manual, an article of its pattern series, or a kind of application. */
  readonly source: string;
  /** The reason for the label. */
  readonly why: string;
  /** Plants the data. */
  plant(planting: Planting): Promise<void>;
  /** What the application does, recorded by the profiler. */
  use?(database: Db, planting: Planting): Promise<void>;
}

/** A design that an expert would not let pass. */
export interface BadDesign extends Design {
  readonly expected: {
    /** Any of these names the fault: the literature often has two words for it. */
    readonly checks: readonly string[];
    /** Where it is to be found; a pattern where the fault is that of a family. */
    readonly collection: string | RegExp;
    /** The finding's path, if the fault has one. */
    readonly path?: string;
    /** The least severity that an expert would give it. */
    readonly severity: 'error' | 'warning' | 'info';
  };
}
