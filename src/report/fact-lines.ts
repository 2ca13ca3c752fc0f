import type { Paint } from './paint.js';
import { flowed, labelled, wrapped } from './text-layout.js';

export interface ReportFact {
  readonly label: string;
  readonly texts: readonly string[];
  /** True if the texts follow one another on a line; otherwise each is a sentence of its own. */
  readonly short: boolean;
}

const LABEL_WIDTH = 13;
const SEPARATOR = ' · ';

export function factLines(facts: readonly ReportFact[], width: number, paint: Paint): string[] {
  const column = width - LABEL_WIDTH;
  return facts.flatMap(({ label, texts, short }) => {
    const lines = short ? flowed(texts, SEPARATOR, column) : texts.flatMap((text) => wrapped(text, column));
    return labelled(paint('label', label), LABEL_WIDTH, lines);
  });
}
