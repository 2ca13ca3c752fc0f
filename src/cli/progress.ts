import type { LintProgress } from '../lint/lint.js';
import type { TextStream } from './io.js';

export interface ProgressLine {
  show(text: string): void;
  update(progress: LintProgress): void;
  stop(): void;
}

const SILENT: ProgressLine = { show: () => {}, update: () => {}, stop: () => {} };

/** Starts a line that shows how far the run is, if it is wanted and `stderr` is a terminal. */
export async function startProgress(stderr: TextStream, wanted: boolean, text: string): Promise<ProgressLine> {
  if (!wanted || stderr.isTTY !== true) return SILENT;
  // A scheduled job has no terminal, and starts a fifth faster without ora.
  const { default: ora } = await import('ora');
  const spinner = ora({ stream: stderr as NodeJS.WriteStream, text, discardStdin: false }).start();
  return {
    show: (next) => void (spinner.text = next),
    update: ({ done, total }) => void (spinner.text = `judged ${done} of ${total} collections`),
    stop: () => void spinner.stop(),
  };
}
