import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { TextStream } from '../../src/cli/io.js';
import { Progress, startProgress } from '../../src/cli/progress.js';

/** Stands in for a terminal: it takes what is written, and counts the lines that are cleared. */
class Terminal extends EventEmitter implements TextStream {
  readonly isTTY = true;
  text = '';
  cleared = 0;
  columns?: number;

  constructor(columns?: number) {
    super();
    if (columns !== undefined) this.columns = columns;
  }

  readonly write = (text: string): boolean => {
    this.text += text;
    return true;
  };
  readonly cursorTo = (): boolean => true;
  readonly moveCursor = (): boolean => true;
  clearLine(): boolean {
    this.cleared += 1;
    if (this.cleared > 1_000) throw new Error('Lines are cleared without end.');
    return true;
  }

  resize(columns: number): void {
    this.columns = columns;
    this.emit('resize');
  }
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
    terminal.resize(0);
    terminal.text = '';
    progress.show('reading shop.orders');
    // Longer than the pause between two frames.
    await new Promise((resolve) => setTimeout(resolve, 200));
    progress.stop();
    expect(terminal.text).not.toContain('reading');
    expect(terminal.listenerCount('resize')).toBe(0);
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
