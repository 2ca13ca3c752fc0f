import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionString } from 'mongodb-connection-string-url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { folderWith } from '../support/config-folder.js';
import { PATIENT, runBuilt } from '../support/faults/built-command.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { leavesOrphan } from '../support/faults/processes.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';
import { startEmbeddedServer, type EmbeddedServer } from '../support/mongod/embedded-server.js';

// "kill -9, SIGTERM and SIGINT at 40 random moments of a run with state, history, five reports and a webhook."
/** Of each signal, in each of two ways to keep what a run needs. */
const MOMENTS = Number(process.env['MONGOLINT_MOMENTS'] ?? 10);
const random = new SeededRandom(7);
const faulty = useFaultyShop();
const FORMATS = ['json', 'html', 'sarif', 'junit', 'markdown'];
/** How each file ends if it is whole. */
const WHOLE: Readonly<Record<string, RegExp>> = {
  '.json': /\}\n$/,
  '.html': /<\/html>\s*$/,
  '.sarif': /\}\n$/,
  '.junit': /<\/testsuites>\s*$/,
  '.markdown': /\n$/,
};

let server: EmbeddedServer;
beforeAll(async () => {
  server = await startEmbeddedServer({ replicaSet: false });
});
afterAll(() => server?.stop());

function stateIn(database: string): string {
  const uri = new ConnectionString(server.uri);
  uri.pathname = `/${database}`;
  return uri.href;
}

const FILES = ['--baseline', 'known.jsonl', '--history', 'history.jsonl'];

describe.each([
  ['a state', [], stateIn],
  ['files', FILES, () => ''],
] as const)('a run that keeps what it needs in %s', (kept, args, stateOf) => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(`gets %s at ${MOMENTS} random moments`, async (signal) => {
    const { address, texts } = await webhook();
    const argv = [
      ...args,
      '--update-baseline',
      ...FORMATS.flatMap((format) => ['--format', `${format}=report.${format}`]),
    ];
    const env = { MONGODB_URI: faulty.shop.uri, MONGOLINT_NOTIFY: address, MONGOLINT_STATE: stateOf(signal) };
    const cwd = await folderWith(PATIENT);
    const other = { MONGODB_URI: faulty.shop.uri, MONGOLINT_STATE: stateOf(`${signal}_other`) };
    const { code: expected, elapsed } = await runBuilt(argv, { cwd: await folderWith(PATIENT), env: other });
    expect(expected).toBe(0);
    const problems: string[] = [];
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      const mark = randomUUID();
      const meanwhile = async (command: ChildProcess) => {
        const exit = once(command, 'exit');
        await delay(random.next() * elapsed * 1.1);
        command.kill(signal);
        await exit;
        if (await leavesOrphan(`MARK=${mark}`)) problems.push('an orphan');
      };
      const { code, stderr } = await runBuilt(argv, { cwd, env: { ...env, MARK: mark }, meanwhile });
      if (![null, 0, 2, 130, 143].includes(code)) problems.push(`exit code ${code}: ${stderr}`);
      problems.push(...(await halfFiles(cwd)));
    }
    // By the next whole run, all that was news has come; what came twice is marked.
    expect(await runBuilt(argv, { cwd, env })).toMatchObject({ code: 0, stderr: '' });
    // Of a run that was interrupted, behind the word that it failed.
    const NEWS = /\b\d+ new finding/;
    expect(texts).toContainEqual(expect.stringMatching(NEWS));
    const news = texts.filter((text) => NEWS.test(text));
    expect([...problems, ...doubled(news).map((text) => `twice in ${kept}: ${text}`)]).toEqual([]);
    const count = texts.length;
    expect(await runBuilt(argv, { cwd, env })).toMatchObject({ code: 0, stderr: '' });
    expect(texts.slice(count)).toEqual([]);
  });
});

async function webhook() {
  const texts: string[] = [];
  const address = await startHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      texts.push((JSON.parse(body) as { text: string }).text);
      response.end();
    });
  });
  return { address, texts };
}

async function halfFiles(folder: string): Promise<string[]> {
  const half: string[] = [];
  for (const name of await readdir(folder)) {
    const text = await readFile(join(folder, name), 'utf8');
    const isWhole = name.endsWith('.jsonl') ? text.split('\n').slice(0, -1).every(isJson) && text.endsWith('\n') : true;
    const end = name.startsWith('report.') ? WHOLE[extname(name)] : undefined;
    if (!isWhole || end?.test(text) === false) half.push(`${name} is cut off: …${text.slice(-40)}`);
  }
  return half;
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** What came again, word for word, with nothing that says so. */
function doubled(texts: readonly string[]): string[] {
  const unmarked = texts.filter((text) => !text.startsWith('('));
  return unmarked.filter((text, index) => unmarked.indexOf(text) !== index);
}
