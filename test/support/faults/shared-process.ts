import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../../src/files/package-root.js';
import { boundsOf, GRACE, LIMITS, type ProcessResult, type RunOptions } from './linter-process.js';
import type { WorkerAnswer, WorkerOrder } from './linter-worker.js';

interface UnderWay {
  readonly started: number;
  resolve(result: ProcessResult): void;
}

/**
 * A process that runs the command line many times, several at once, unwatched: for what goes wrong within a
 * run. It takes a quarter of the processor's time of a process of its own. If a run does not end, it is killed, and with it
 * what else is under way; the next run gets another.
 */
export class SharedProcess {
  #worker: ChildProcess | null = null;
  #underWay = new Map<number, UnderWay>();
  #ids = 0;

  /** Runs the command line, and kills its process if it does not end in time. */
  run({ uri, args = [], env = {}, limits = LIMITS }: RunOptions): Promise<ProcessResult> {
    const worker = (this.#worker ??= this.#start());
    const id = (this.#ids += 1);
    const underWay = this.#underWay;
    return new Promise((resolve) => {
      const killing = setTimeout(() => {
        const late = underWay.get(id);
        underWay.delete(id);
        late?.resolve({ ...unfinished(late), wasKilled: true });
        worker.kill('SIGKILL');
      }, limits.maxTime + GRACE);
      const started = performance.now();
      underWay.set(id, {
        started,
        resolve: (result) => {
          clearTimeout(killing);
          resolve(result);
        },
      });
      worker.send({
        id,
        argv: [...boundsOf(limits), ...args],
        env: { MONGODB_URI: uri, ...env },
      } satisfies WorkerOrder);
    });
  }

  stop(): void {
    this.#worker?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const underWay = (this.#underWay = new Map<number, UnderWay>());
    const worker = fork(join(packageRoot(), 'dist/test/support/faults/linter-worker.js'), { stdio: 'inherit' });
    worker.on('message', ({ id, code, stdout, stderr }: WorkerAnswer) => {
      const run = underWay.get(id);
      underWay.delete(id);
      run?.resolve({ ...unfinished(run), code, stdout, stderr });
    });
    worker.on('exit', (_, signal) => {
      if (this.#worker === worker) this.#worker = null;
      for (const run of underWay.values()) run.resolve({ ...unfinished(run), signal });
    });
    return worker;
  }
}

/** Of a run whose process ended before it. */
function unfinished({ started }: UnderWay): ProcessResult {
  const elapsed = performance.now() - started;
  return { code: null, signal: null, stdout: '', stderr: '', elapsed, wasKilled: false };
}
