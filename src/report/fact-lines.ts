import type { Paint } from './paint.js';
import { flowed, labelled, wrapped } from './text-layout.js';

/** One thing that a report says of a run as a whole, under a label. */
export interface ReportFact {
  readonly label: string;
  readonly texts: readonly string[];
  /** True where the texts are short and stand one after another; else each is a sentence of its own. */
  readonly short: boolean;
}

const LABEL_WIDTH = 13;
const SEPARATOR = ' · ';

/** Facts as lines for a terminal, aligned behind their labels. */
export function factLines(facts: readonly ReportFact[], width: number, paint: Paint): string[] {
  const column = width - LABEL_WIDTH;
  return facts.flatMap(({ label, texts, short }) => {
    const lines = short ? flowed(texts, SEPARATOR, column) : texts.flatMap((text) => wrapped(text, column));
    return labelled(paint('label', label), LABEL_WIDTH, lines);
  });
}
