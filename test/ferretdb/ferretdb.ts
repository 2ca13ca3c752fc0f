import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE_FOLDER } from '../support/mongod/find-mongod.js';

const run = promisify(execFile);

export const FERRETDB_VERSION = 'v1.24.2';
const MODULE = 'github.com/FerretDB/FerretDB';
/** Of the module, as Go sums it up. */
const SUM = 'h1:trrUU0LbmusMbyubhPS1IELncvrIwKrsRT2LW1UUWCw=';
const FOLDER = join(CACHE_FOLDER, `ferretdb-${FERRETDB_VERSION}`);
const BINARY = join(FOLDER, 'ferretdb');

/** Builds FerretDB from its Go module, once: some four minutes. Needs Go and a C compiler. */
async function builtFerretdb(): Promise<string> {
  if (await isThere(BINARY)) return BINARY;
  const { stdout } = await run('go', ['mod', 'download', '-json', `${MODULE}@${FERRETDB_VERSION}`], { cwd: tmpdir() });
  const { Dir, Sum } = JSON.parse(stdout) as { Dir: string; Sum: string };
  if (Sum !== SUM) throw new Error(`${MODULE} ${FERRETDB_VERSION} is not the module that was tested: ${Sum}`);
  const source = await mkdtemp(join(tmpdir(), 'ferretdb-'));
  try {
    await cp(Dir, source, { recursive: true });
    await run('chmod', ['-R', 'u+w', source]);
    // What its own build would write; without it, it does not start.
    await writeFile(join(source, 'build', 'version', 'version.txt'), FERRETDB_VERSION);
    await mkdir(FOLDER, { recursive: true });
    await run('go', ['build', '-buildvcs=false', '-o', BINARY, './cmd/ferretdb'], { cwd: source });
  } finally {
    await rm(source, { recursive: true, force: true });
  }
  return BINARY;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

export interface FerretdbServer {
  readonly uri: string;
  stop(): Promise<void>;
}

/** Starts it over SQLite, in a folder of its own. */
export async function startFerretdb(): Promise<FerretdbServer> {
  const binary = await builtFerretdb();
  const folder = await mkdtemp(join(tmpdir(), 'ferretdb-data-'));
  const flags = ['--handler=sqlite', '--listen-addr=127.0.0.1:0', '--debug-addr=-', '--telemetry=disable'];
  const server = spawn(binary, [...flags, `--sqlite-url=file:${folder}/`, `--state-dir=${folder}`]);
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const port = await new Promise<string>((resolve, reject) => {
    let log = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const [, found] = /Listening on TCP 127\.0\.0\.1:(\d+)/.exec(log) ?? [];
      if (found !== undefined) resolve(found);
    });
    server.once('exit', () => reject(new Error(`FerretDB ended: ${log}`)));
  });
  return {
    uri: `mongodb://127.0.0.1:${port}/`,
    async stop() {
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
