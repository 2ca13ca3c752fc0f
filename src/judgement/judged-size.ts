import type { NotJudged } from '../check.js';
import type { JudgedAt } from '../finding.js';
import type { SizeSource } from '../finding/expected-size.js';
import { capitalized, formatCount, plural } from '../format.js';
import type { Collection } from '../inventory/collection.js';

/** The size at which a collection is judged: the expected one if one was given (`from`), else that of now. */
export interface JudgedSize {
  readonly documents: number;
  /** In the linted database. */
  readonly present: number;
  /** Present if it is not known how many are in the linted database; `present` is then production's number. */
  readonly presentUnknown?: true;
  /** At which figures of operations were recorded: the present one, or that of production. */
  readonly recorded: number;
  readonly from: SizeSource | null;
  readonly unit: 'document' | 'bucket';
}

const SOURCE_TEXT: Readonly<Record<SizeSource, string>> = { expect: 'expected', production: 'in production' };

/** @param count the documents by the metadata: those of production if its evidence stands in */
export function judgedSize(
  { expected, production }: Pick<Collection, 'expected' | 'production'>,
  count: number,
): JudgedSize {
  const joined = production?.present === true ? production.value : null;
  const { documents = count, from = joined === null ? null : 'production' } =
    expected?.documents === undefined ? {} : expected;
  const present = joined?.documentsHere ?? count;
  const isUnknown = joined !== null && joined.documentsHere === null;
  const size: JudgedSize = { documents, present, recorded: count, from, unit: 'document' };
  return isUnknown ? { ...size, presentUnknown: true } : size;
}

/** The same size, for figures that were recorded in the linted database beside those of production. */
export function recordedHere(size: JudgedSize): JudgedSize {
  return { ...size, recorded: size.present };
}

/** What a figure that is proportional to the documents comes to at the judged size. */
export function atJudgedSize(figure: number, { documents, recorded, from }: JudgedSize): number {
  if (from === null) return figure;
  return recorded === 0 ? documents : (figure / recorded) * documents;
}

export function judgedAt({ documents, from }: JudgedSize): { readonly judgedAt?: JudgedAt } {
  return from === null ? {} : { judgedAt: { documents, from } };
}

/** For a finding's evidence: the documents in the linted database beside those of production. */
export function documentsHere({ present, presentUnknown, from }: JudgedSize): { readonly documentsHere?: number } {
  return from === null || from === 'expect' || presentUnknown === true ? {} : { documentsHere: present };
}

/** For the end of a message: " 60 documents here, 3,100,000 in production, 12,000 executions a day." */
export function judgedAtText(
  { documents, present, presentUnknown, from }: JudgedSize,
  executionsPerDay: number | null = null,
): string {
  if (from === null) return '';
  const here = presentUnknown === true ? 'An unknown number of documents here' : `${plural(present, 'document')} here`;
  const perDay = executionsPerDay === null ? '' : `, ${plural(Math.round(executionsPerDay), 'execution')} a day`;
  return ` ${here}, ${formatCount(documents)} ${SOURCE_TEXT[from]}${perDay}.`;
}

/** @param what the access that could not be judged, as half a sentence: "joined by `customer`" */
export function tooSmallToTell({ documents, unit }: JudgedSize, what: string): NotJudged {
  return {
    notJudged: 'too-small',
    detail: `too small to tell (${plural(documents, unit)}); give expected sizes with \`expect\`. ${capitalized(what)}.`,
  };
}

export function sizesUnknown(namespace: string): NotJudged {
  return {
    notJudged: 'unsupported',
    nothingJudged: true,
    detail: `the sizes of ${namespace} are unknown: this server does not report all that the check needs.`,
  };
}
