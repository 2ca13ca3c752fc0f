import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fetchIntoCache } from './mongod-cache.js';
import { asReason, type MongodSource, type ProgressListener } from './mongod-source.js';
import type { TemporaryFolder } from './temporary-folder.js';

/** Time for the download site to send its first bytes; a network that drops packets must not hold up the search. */
const FIRST_ANSWER_LIMIT_MS = 20_000;
/** Time without progress after that. The library gives up on a stalled connection after 60 s; unpacking is silent. */
const SILENCE_LIMIT_MS = 120_000;

/**
 * Runs in a process of its own: there the library's writing to the console harms nobody, its settings need not leak into
 * this process, and it can be ended.
 */
const DOWNLOAD_SCRIPT = `
process.on('disconnect', () => process.exit());
async function download([library, downloadDir]) {
  return { path: await require(library).MongoBinary.getPath({ downloadDir }) };
}
download(process.argv.slice(1))
  .catch((error) => ({ error: String(error?.message ?? error) }))
  .then((answer) => process.send(answer, () => process.disconnect()));
`;

const PROGRESS_LINE = /Downloading MongoDB "([^"]+)": ([\d.]+)% \([\d.]+mb \/ ([\d.]+)mb\)/;

/** What the process answers. */
type DownloadAnswer = { readonly path: string } | { readonly error: string };

/**
 * The source that lets mongodb-memory-server download a mongod for this platform, or find one that it has downloaded
 * before. Its own settings (`MONGOMS_VERSION`, `MONGOMS_DOWNLOAD_MIRROR`, …) hold, but it does not retry.
 */
export function downloadedMongod(
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
  firstAnswerLimitMs = FIRST_ANSWER_LIMIT_MS,
): MongodSource {
  return {
    name: "mongodb-memory-server's download",
    find: (onProgress) =>
      fetchIntoCache(folder, (temporary) => download(temporary, environment, firstAnswerLimitMs, onProgress)),
  };
}

function download(
  folder: TemporaryFolder,
  environment: NodeJS.ProcessEnv,
  firstAnswerLimitMs: number,
  onProgress: ProgressListener,
): Promise<string> {
  const library = createRequire(import.meta.url).resolve('mongodb-memory-server-core');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', DOWNLOAD_SCRIPT, library, folder.path], {
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
      env: { ...environment, NODE_OPTIONS: '', MONGOMS_MAX_RETRIES: '1' },
    });
    folder.includeProcess(child);
    const giveUpAfter = (limitMs: number) =>
      setTimeout(() => {
        reject(new Error(`the download site sent nothing for ${limitMs / 1000} s`));
        child.kill('SIGKILL');
      }, limitMs);
    let timer = giveUpAfter(firstAnswerLimitMs);
    child.stdout?.setEncoding('utf8').on('data', (output: string) => {
      clearTimeout(timer);
      timer = giveUpAfter(SILENCE_LIMIT_MS);
      const [, version, percent, megabytes] = PROGRESS_LINE.exec(output) ?? [];
      if (version !== undefined)
        onProgress(`downloading MongoDB ${version} (${megabytes} MB): ${Math.round(Number(percent))} %`);
    });
    child.on('message', (answer: DownloadAnswer) => {
      if ('path' in answer) resolve(answer.path);
      else reject(new Error(asReason(answer.error)));
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`its process ended with ${signal ?? `code ${code}`}`));
    });
  });
}
