import { formatCount, formatDuration, plural } from '../format.js';
import { terminalText } from '../text/terminal-text.js';
import type { TextStream } from './io.js';

export interface ProgressLine {
  show(text: string): void;
  print(text: string): void;
  stop(): void;
}

/** Moves to the beginning of the line, and clears it. */
const CLEAR_LINE = '\r\u001b[K';
/** In columns, if a terminal does not say. */
const USUAL_WIDTH = 80;

/** Starts a line that shows how far the run is, if it is wanted and `stderr` is a terminal with a width. */
export async function startProgress(stderr: TextStream, wanted: boolean, text: string): Promise<ProgressLine> {
  if (!wanted || stderr.isTTY !== true || stderr.columns === 0)
    return { show: () => {}, print: (line) => void stderr.write(line), stop: () => {} };
  const { clipped } = await import('../report/text-layout.js');
  let isShown = false;
  const clear = () => {
    if (isShown) stderr.write(CLEAR_LINE);
    isShown = false;
  };
  const show = (next: string) => {
    clear();
    const { columns = USUAL_WIDTH } = stderr;
    if (columns === 0) return;
    // A line that wraps could not be cleared.
    stderr.write(clipped(next, columns - 1));
    isShown = true;
  };
  show(text);
  return {
    show,
    print(line) {
      clear();
      stderr.write(line);
    },
    stop: clear,
  };
}

/** What a run reads, how far it is, and how long it may take. */
export class Progress {
  #reading = '';
  #done = 0;
  #total = 0;

  /** @param maxTime longest time of the run, in ms */
  constructor(
    private readonly show: (text: string) => void,
    private readonly maxTime: number,
  ) {}

  begin(total: number): void {
    this.#total = total;
    this.show(`reading ${plural(total, 'collection')}, ${this.#limit}`);
  }

  reading(namespace: string): void {
    this.#reading = terminalText(namespace);
    this.#tell();
  }

  judged(): void {
    this.#done += 1;
    this.#tell();
  }

  #tell(): void {
    const done = `${formatCount(this.#done)} of ${plural(this.#total, 'collection')} done`;
    const what = this.#done < this.#total ? `reading ${this.#reading}` : 'judging the whole cluster';
    this.show(`${what}, ${done}, ${this.#limit}`);
  }

  get #limit(): string {
    return `at most ${formatDuration(this.maxTime)} in all`;
  }
}
