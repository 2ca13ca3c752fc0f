import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { PRIVATE_MODE, replaceFileBy } from '../file-replacement.js';

type ModuleFunction = (exports: unknown, require: NodeJS.Require, module: Module, file: string, folder: string) => void;

const BYTES_OF_A_CHECKSUM = 4;

/**
 * A CommonJS module, run from code that an earlier run has compiled, if there is any that fits. Who requires the module later
 * gets this one. It must not import on demand: on Node 20, code that was compiled before can't.
 */
export class CompiledScript {
  readonly #script: Script;
  readonly #sourceChecksum: number;
  readonly #kept: string;

  /**
   * @param folder where compiled code is kept. Only the user that runs this may be able to write to it.
   * @throws if the module can't be read, or throws itself
   */
  constructor(file: string, folder: string) {
    const source = readFileSync(file);
    this.#sourceChecksum = crc32(source);
    // V8 refuses what another version of itself has compiled: each Node keeps its own.
    this.#kept = join(folder, `${basename(file)}-${process.version}-${process.arch}`);
    const cachedData = readCode(this.#kept, this.#sourceChecksum);
    const text = Module.wrap(source.toString());
    this.#script = new Script(text, { filename: file, ...(cachedData !== null && { cachedData }) });
    const require = createRequire(file);
    const module = Object.assign(new Module(file), { filename: file });
    require.cache[file] = module;
    const run = this.#script.runInThisContext() as ModuleFunction;
    run(module.exports, require, module, file, dirname(file));
    module.loaded = true;
  }

  get wasKept(): boolean {
    return this.#script.cachedDataRejected === false;
  }

  /** Keeps what has been compiled until now, functions that a run called among it. A full disk keeps nothing. */
  async keep(): Promise<void> {
    if (this.wasKept) return;
    const code = this.#script.createCachedData();
    const kept = Buffer.concat([checksum(this.#sourceChecksum), checksum(crc32(code)), code]);
    await replaceFileBy(this.#kept, (draft) => draft.writeFile(kept), PRIVATE_MODE).catch(() => undefined);
  }
}

/** Null unless it was kept of this source, and is what was written. */
function readCode(file: string, sourceChecksum: number): Buffer | null {
  let kept: Buffer;
  try {
    kept = readFileSync(file);
  } catch {
    return null;
  }
  if (kept.length <= 2 * BYTES_OF_A_CHECKSUM) return null;
  const code = kept.subarray(2 * BYTES_OF_A_CHECKSUM);
  const fits = kept.readUInt32LE(0) === sourceChecksum && kept.readUInt32LE(BYTES_OF_A_CHECKSUM) === crc32(code);
  return fits ? code : null;
}

function checksum(value: number): Buffer {
  const bytes = Buffer.alloc(BYTES_OF_A_CHECKSUM);
  bytes.writeUInt32LE(value);
  return bytes;
}
