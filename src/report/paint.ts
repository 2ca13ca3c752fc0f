import { styleText } from 'node:util';
import type { Severity } from '../finding.js';

const STYLES: Readonly<Record<TextRole, Style>> = {
  error: ['bold', 'red'],
  warning: ['bold', 'yellow'],
  info: ['bold', 'cyan'],
  heading: 'bold',
  label: 'dim',
  name: 'bold',
  figure: 'bold',
  aside: 'dim',
  bar: 'cyan',
  command: 'green',
  good: 'green',
  caution: 'yellow',
};

/** What a text is, which decides its colour. */
type TextRole = Severity | 'heading' | 'label' | 'name' | 'figure' | 'aside' | 'bar' | 'command' | 'good' | 'caution';

type Style = Parameters<typeof styleText>[0];

export type Paint = (role: TextRole, text: string) => string;

export const PLAIN: Paint = (_, text) => text;

export function painter(color: boolean): Paint {
  // Whether the stream takes colours was decided by the caller, so styleText must not look at a stream of its own.
  return (role, text) => (color && text !== '' ? styleText(STYLES[role], text, { validateStream: false }) : text);
}
