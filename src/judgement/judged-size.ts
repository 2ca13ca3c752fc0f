import type { NotJudged } from '../check.js';
import type { SizeSource } from '../expected-size.js';
import type { JudgedAt } from '../finding.js';
import { formatCount, plural } from '../format.js';
import type { Collection } from '../inventory/collection.js';

/** The size at which a collection is judged: the expected one if one was given (`from`), else that of now. */
export interface JudgedSize {
  readonly documents: number;
  readonly present: number;
  readonly from: SizeSource | null;
  readonly unit: 'document' | 'bucket';
}

const SOURCE_TEXT: Readonly<Record<SizeSource, string>> = { expect: 'expected', production: 'in production' };

export function judgedSize({ expected }: Pick<Collection, 'expected'>, present: number): JudgedSize {
  return expected?.documents === undefined
    ? { documents: present, present, from: null, unit: 'document' }
    : { documents: expected.documents, present, from: expected.from, unit: 'document' };
}

/** What a figure that is proportional to the documents comes to at the judged size. */
export function atJudgedSize(figure: number, { documents, present, from }: JudgedSize): number {
  if (from === null) return figure;
  return present === 0 ? documents : (figure / present) * documents;
}

export function judgedAt({ documents, from }: JudgedSize): { readonly judgedAt?: JudgedAt } {
  return from === null ? {} : { judgedAt: { documents, from } };
}

/** For the end of a message: " 60 documents here, 5,000,000 expected." */
export function judgedAtText({ documents, present, from }: JudgedSize): string {
  return from === null ? '' : ` ${plural(present, 'document')} here, ${formatCount(documents)} ${SOURCE_TEXT[from]}.`;
}

/** @param what the access that could not be judged, as half a sentence: "joined by `customer`" */
export function tooSmallToTell({ documents, unit }: JudgedSize, what: string): NotJudged {
  return {
    notJudged: 'too-small',
    detail: `too small to tell (${plural(documents, unit)}); give expected sizes with \`expect\`. ${capitalized(what)}.`,
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
