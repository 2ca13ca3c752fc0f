import type { Severity } from '../finding/severity.js';
import type { Place } from './finding-view.js';

/** A text and what it is: each format shows names, places, severities and figures in its own way. */
export type Span =
  | string
  | { readonly code: string; readonly href?: string | null }
  | { readonly place: Place }
  | { readonly severity: Severity }
  /** A state that has a colour of its own on a page. */
  | { readonly state: string; readonly text: string }
  /** Null if it is not known. A severity colours it; a share, from 0 to 1, is drawn as a bar beside it. */
  | { readonly figure: string | null; readonly severity?: Severity; readonly share?: number };

/** One thing of a list. */
export interface Entry {
  readonly head: readonly Span[];
  /** The tone of a heading, if absent. */
  readonly tone?: 'caution' | 'good' | 'aside';
  /** Namespaces or indexes that it holds for. */
  readonly names?: readonly string[];
  /** How many those are, if not all are named. */
  readonly count?: number;
  /** In brackets behind the names. */
  readonly note?: string;
  /** Sentences, a line each. */
  readonly lines?: readonly string[];
  /** Sentences that explain, or give an example. */
  readonly asides?: readonly string[];
  readonly entries?: readonly Entry[];
}

/** A label with texts that follow one another on a line if they are short; otherwise each is a sentence of its own. */
export interface Fact {
  readonly label: string;
  readonly texts: readonly string[];
  readonly short: boolean;
}

export interface Column {
  readonly head: string;
  readonly isNumber?: true;
  /** Only shown on a page that has room for it. */
  readonly isMinor?: true;
  /** It takes the room that is left, and longer texts are cut there. */
  readonly cut?: 'end' | 'middle';
}

/** A cell of a table: texts that follow one another. */
export type Cell = Span | readonly Span[];

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that are left out. */
  readonly more?: number;
}

/** A part of a page, as every format shows it: made once, painted by each. */
export interface Section {
  readonly id: string;
  readonly heading: string;
  /** How many things are in it; null if they are not counted. */
  readonly count: number | null;
  /** What it means, for a page that has room for it. */
  readonly intro?: string;
  readonly facts?: readonly Fact[];
  readonly entries?: readonly Entry[];
  readonly table?: Table;
}

/** How much of long lists is shown. The rest is counted. */
export interface Limits {
  readonly names: number;
  /** Things with one heading, and what is said of each. */
  readonly groups: number;
  readonly details: number;
  /** Lines and rows of a section. */
  readonly lines: number;
}

const ALL = Number.POSITIVE_INFINITY;
/** For a terminal, without --verbose. */
export const BRIEF: Limits = { names: 5, groups: 2, details: 1, lines: 30 };
/** For a comment, which is cut by its length. */
export const COMMENT: Limits = { names: 10, groups: ALL, details: 5, lines: ALL };
export const WHOLE: Limits = { names: ALL, groups: ALL, details: ALL, lines: ALL };
