import type { Html } from './html-text.js';

/** A section of the page, with what its link in the navigation says. */
export interface PageSection {
  readonly id: string;
  readonly heading: string;
  /** How many things are in it; null if they are not counted. */
  readonly count: number | null;
  readonly body: Html;
}
