import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { TextStream } from '../../src/cli/io.js';
import { startProgress } from '../../src/cli/progress.js';

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
    progress.update({ done: 1, total: 2, namespace: 'shop.orders' });
    progress.stop();
    expect(terminal.text).toBe('');
  });

  it('ends when the terminal loses its size', async () => {
    const terminal = new Terminal(80);
    const progress = await startProgress(terminal, true, 'connecting');
    terminal.resize(0);
    terminal.text = '';
    progress.update({ done: 1, total: 2, namespace: 'shop.orders' });
    // Longer than the pause between two frames.
    await new Promise((resolve) => setTimeout(resolve, 200));
    progress.stop();
    expect(terminal.text).not.toContain('judged');
    expect(terminal.listenerCount('resize')).toBe(0);
  });
});
