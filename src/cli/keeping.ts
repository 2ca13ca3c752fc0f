import { resolve } from 'node:path';
import { KeptFile, type KeptText } from '../files/kept-text.js';
import { historyIn } from '../growth/history-file.js';
import { baselineIn } from '../policy/baseline-file.js';
import { declaredIn } from './nightly-drift.js';
import type { RunOptions } from './run-options.js';
import type { RunTarget } from './run-settings.js';
import { UnsentFile, type UnsentMessages } from './unsent-messages.js';

type Target = Pick<RunTarget, 'alias' | 'options'>;

/** Where a run keeps what the next one compares with: in files, or in a state. Null for what is not kept. */
export interface Keeping {
  readonly baseline: KeptText | null;
  history(target: Target): KeptText | null;
  /** What is declared in its cluster. */
  declared(target: Target): KeptText | null;
  readonly unsent: UnsentMessages | null;
}

/** Some thousand messages. */
const MOST_UNSENT_BYTES = 64 * 1024 * 1024;

/** Keeps in the files that options name. */
export function fileKeeping({ baseline, history }: Pick<RunOptions, 'baseline' | 'history'>, cwd: string): Keeping {
  const beside = baseline ?? history;
  const historyOf = ({ options }: Target) => (options.history === undefined ? null : resolve(cwd, options.history));
  return {
    baseline: kept(baseline === undefined ? null : resolve(cwd, baseline), baselineIn),
    history: (target) => kept(historyOf(target), historyIn),
    declared: (target) => kept(historyOf(target), declaredIn),
    unsent:
      beside === undefined
        ? null
        : new UnsentFile(KeptFile.beside(resolve(cwd, beside), '.unsent.jsonl', MOST_UNSENT_BYTES)),
  };
}

function kept(file: string | null, open: (file: string) => KeptText): KeptText | null {
  return file === null ? null : open(file);
}
