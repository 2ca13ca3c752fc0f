import { lstat, rm } from 'node:fs/promises';
import { assertBounded, readBounded } from './bounded-file.js';
import { FileFault, nullIfMissing } from './file-fault.js';
import { FileLock } from './file-lock.js';
import { linkTarget, PRIVATE_MODE, replaceFile } from './file-replacement.js';

/** A text that runs keep for each other, such as a baseline: in a file, or in a state. */
export interface KeptText {
  /** For people. */
  readonly name: string;
  /** Null if there is none yet. @throws FileFault or an error of the system */
  read(): Promise<string | null>;
  /**
   * Replaces it by what `change` makes of it as it is by then: nobody else writes between the two. Null leaves it as it is,
   * and of an empty text nothing is left.
   * @throws FileFault or an error of the system; it is then as it was
   */
  change(change: (now: string | null) => string | null): Promise<void>;
}

/** A lock that was left behind may be taken from the run that has just taken it over: that one begins again. */
const MOST_TRIES = 20;

/** A text in a file that is replaced as a whole. */
export class KeptFile implements KeptText {
  /**
   * @param name of the file, which need not exist
   * @param mode of a file that does not exist yet
   */
  constructor(
    readonly name: string,
    private readonly mostBytes: number,
    private readonly mode?: number,
    private readonly isNamed = true,
  ) {}

  /**
   * A file whose name follows from that of another one: nobody named it, so a link or a pipe in its place is somebody else's,
   * and a FileFault.
   */
  static beside(file: string, ending: string, mostBytes: number): KeptFile {
    return new KeptFile(`${file}${ending}`, mostBytes, PRIVATE_MODE, false);
  }

  async read(): Promise<string | null> {
    await this.assertOwn();
    return readBounded(this.name, this.mostBytes).catch(nullIfMissing);
  }

  async change(change: (now: string | null) => string | null): Promise<void> {
    await this.assertOwn();
    const path = await linkTarget(this.name);
    await assertBounded(path, this.mostBytes).catch(nullIfMissing);
    for (let tries = 1; !(await this.changeOnce(path, change)); tries += 1)
      if (tries === MOST_TRIES)
        throw new FileFault('other runs keep taking its lock over; run again when they are done');
  }

  /** @returns false if another run took the lock over meanwhile, so that nothing was written */
  private async changeOnce(path: string, change: (now: string | null) => string | null): Promise<boolean> {
    const lock = await FileLock.take(path);
    try {
      const after = change(await this.read());
      if (after === null) return true;
      if (!(await lock.isHeld())) return false;
      await (after === '' ? rm(path, { force: true }) : replaceFile(path, after, this.mode));
      return true;
    } finally {
      await lock.release();
    }
  }

  private async assertOwn(): Promise<void> {
    const status = this.isNamed ? null : await lstat(this.name).catch(nullIfMissing);
    if (status !== null && !status.isFile())
      throw new FileFault(status.isSymbolicLink() ? 'it is a link' : 'it is no file');
  }
}
