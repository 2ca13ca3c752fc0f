import type { LintProgress } from '../lint/lint.js';
import type { TextStream } from './io.js';

export interface ProgressLine {
  show(text: string): void;
  update(progress: LintProgress): void;
  print(text: string): void;
  stop(): void;
}

function silent(stderr: TextStream): ProgressLine {
  return { show: () => {}, update: () => {}, print: (text) => void stderr.write(text), stop: () => {} };
}

/** Starts a line that shows how far the run is, if it is wanted and `stderr` is a terminal with a width. */
export async function startProgress(stderr: TextStream, wanted: boolean, text: string): Promise<ProgressLine> {
  // At 0 columns, as in a container's terminal without a size, ora clears lines without end.
  if (!wanted || stderr.isTTY !== true || stderr.columns === 0) return silent(stderr);
  // A scheduled job has no terminal, and starts a fifth faster without ora.
  const { default: ora } = await import('ora');
  const terminal = stderr as NodeJS.WriteStream;
  const spinner = ora({ stream: terminal, text, discardStdin: false }).start();
  const stopWithoutWidth = () => void (terminal.columns === 0 && spinner.stop());
  terminal.on('resize', stopWithoutWidth);
  return {
    show: (next) => void (spinner.text = next),
    update: (progress) => void (spinner.text = judgedText(progress)),
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

export function judgedText({ done, total }: LintProgress): string {
  return `judged ${done} of ${total} collections`;
}
