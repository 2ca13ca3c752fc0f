import type { LintProgress } from '../lint/lint.js';
import type { TextStream } from './io.js';

export interface ProgressLine {
  show(text: string): void;
  update(progress: LintProgress): void;
  stop(): void;
}

const SILENT: ProgressLine = { show: () => {}, update: () => {}, stop: () => {} };

/** Starts a line that shows how far the run is, if it is wanted and `stderr` is a terminal with a width. */
export async function startProgress(stderr: TextStream, wanted: boolean, text: string): Promise<ProgressLine> {
  // At 0 columns, as in a container's terminal without a size, ora clears lines without end.
  if (!wanted || stderr.isTTY !== true || stderr.columns === 0) return SILENT;
  // A scheduled job has no terminal, and starts a fifth faster without ora.
  const { default: ora } = await import('ora');
  const terminal = stderr as NodeJS.WriteStream;
  const spinner = ora({ stream: terminal, text, discardStdin: false }).start();
  const stopWithoutWidth = () => void (terminal.columns === 0 && spinner.stop());
  terminal.on('resize', stopWithoutWidth);
  return {
    show: (next) => void (spinner.text = next),
    update: ({ done, total }) => void (spinner.text = `judged ${done} of ${total} collections`),
    stop: () => {
      terminal.off('resize', stopWithoutWidth);
      spinner.stop();
    },
  };
}
