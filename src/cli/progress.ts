import { formatCount, formatDuration, plural } from '../format.js';
import { terminalText } from '../text/terminal-text.js';
import type { TextStream } from './io.js';

export interface ProgressLine {
  show(text: string): void;
  print(text: string): void;
  stop(): void;
}

/** Starts a line that shows how far the run is, if it is wanted and `stderr` is a terminal with a width. */
export async function startProgress(stderr: TextStream, wanted: boolean, text: string): Promise<ProgressLine> {
  // At 0 columns, as in a container's terminal without a size, ora clears lines without end.
  if (!wanted || stderr.isTTY !== true || stderr.columns === 0)
    return { show: () => {}, print: (line) => void stderr.write(line), stop: () => {} };
  // A scheduled job has no terminal, and starts a fifth faster without ora.
  const { default: ora } = await import('ora');
  const terminal = stderr as NodeJS.WriteStream;
  const spinner = ora({ stream: terminal, text, discardStdin: false }).start();
  const stopWithoutWidth = () => void (terminal.columns === 0 && spinner.stop());
  terminal.on('resize', stopWithoutWidth);
  return {
    show: (next) => void (spinner.text = next),
    print(line) {
      if (spinner.isSpinning) spinner.clear();
      terminal.write(line);
    },
    stop: () => {
      terminal.off('resize', stopWithoutWidth);
      spinner.stop();
    },
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
