import { describe, expect, it } from 'vitest';
import type { TextStream } from '../../src/cli/io.js';
import { Progress, startProgress } from '../../src/cli/progress.js';

/** Stands in for a terminal. */
class Terminal implements TextStream {
  readonly isTTY = true;
  text = '';
  columns?: number;

  constructor(columns?: number) {
    if (columns !== undefined) this.columns = columns;
  }

  readonly write = (text: string): boolean => {
    this.text += text;
    return true;
  };
}

describe('the progress line', () => {
  it('is shown on a terminal, also if its width is unknown', async () => {
    for (const columns of [80, undefined]) {
      const terminal = new Terminal(columns);
      const progress = await startProgress(terminal, true, 'connecting');
      progress.stop();
      expect(terminal.text).toContain('connecting');
    }
  });

  it('is left out on a terminal of 0 columns', async () => {
    const terminal = new Terminal(0);
    const progress = await startProgress(terminal, true, 'connecting');
    progress.show('reading shop.orders');
    progress.stop();
    expect(terminal.text).toBe('');
  });

  it('ends when the terminal loses its size', async () => {
    const terminal = new Terminal(80);
    const progress = await startProgress(terminal, true, 'connecting');
    terminal.columns = 0;
    terminal.text = '';
    progress.show('reading shop.orders');
    progress.stop();
    expect(terminal.text).toBe('\r\u001b[K');
  });

  it('stays on one line, which others replace', async () => {
    const terminal = new Terminal(12);
    const progress = await startProgress(terminal, true, 'connecting');
    progress.show('reading shop.orders');
    progress.print('a warning\n');
    progress.show('reading');
    progress.stop();
    progress.stop();
    const lines = ['connecting', 'reading sh…', 'a warning\n', 'reading', ''];
    expect(terminal.text).toBe(lines.join('\r\u001b[K').replace('\n\r\u001b[K', '\n'));
  });
});

it('says what is being read, how far the run is, and how long it may take', () => {
  const shown: string[] = [];
  const progress = new Progress((text) => void shown.push(text), 600_000);
  progress.begin(2);
  progress.reading('shop.orders');
  progress.judged();
  progress.reading('shop.or\u001b[2Jders');
  progress.judged();
  expect(shown).toEqual([
    'reading 2 collections, at most 10 min in all',
    'reading shop.orders, 0 of 2 collections done, at most 10 min in all',
    'reading shop.orders, 1 of 2 collections done, at most 10 min in all',
    'reading shop.or\\x1B[2Jders, 1 of 2 collections done, at most 10 min in all',
    'judging the whole cluster, 2 of 2 collections done, at most 10 min in all',
  ]);
});
