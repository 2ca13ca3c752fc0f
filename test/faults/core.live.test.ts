import { openSync } from 'node:fs';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { SUPERVISED_BY } from '../../src/cli/run-news.js';
import { HOSTILE_TREES, writeTree, type HostileTree } from '../support/code/hostile-trees.js';
import { runBuilt } from '../support/faults/built-command.js';
import { useCaseFolders } from '../support/faults/case-folders.js';
import { whileRefusing } from '../support/faults/fail-command.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { LIMITS } from '../support/faults/linter-process.js';
import { addLinter, LINTER } from '../support/faults/shop.js';
import { PHASES } from '../support/wire/phases.js';
import {
  cutAfter,
  garbage,
  swallow,
  wrongDocumentLength,
  wrongMessageLength,
} from '../support/wire/reply-treatments.js';

// The core of `npm run test:faults`, a case of each kind: the built command on a real server, with a proxy between them.
const faulty = useFaultyShop();
const folderWith = useCaseFolders();

describe('replies', () => {
  it.concurrent.each([
    { fault: 'that are cut', phase: 'getMore', reply: cutAfter(40), exit: [1, 2] },
    { fault: 'that are garbage', phase: 'listCollections', reply: garbage(), exit: [2] },
    { fault: 'of a negative length', phase: 'collStats', reply: wrongMessageLength('negative'), exit: [2] },
    { fault: 'with a document that is too long', phase: 'oplog', reply: wrongDocumentLength('too long'), exit: [2] },
  ] as const)('$fault, in the phase $phase', async ({ phase, reply, exit }) => {
    await faulty.lintThroughProxy({ exit, report: true }, [{ on: PHASES[phase], reply }]);
  });

  // The time of a command is up; what rests on others is judged.
  it.concurrent('that do not come', async () => {
    const fault = { on: PHASES.listIndexes, reply: swallow() };
    await faulty.lintThroughProxy({ exit: [1], report: true }, [fault], { limits: { ...LIMITS, timeout: 4_000 } });
  });
});

describe('midway', () => {
  it.concurrent('the user is dropped', async () => {
    await addLinter(faulty.shop.client, 'dropped');
    const uri = faulty.shop.uri.replace(LINTER.name, 'dropped');
    const before = () => dropUser(faulty.shop.client, 'dropped');
    await faulty.lintThroughProxy({ exit: [2], report: true }, [{ on: PHASES.listIndexes, times: 1, before }], { uri });
  });
});

describe('what the server refuses', () => {
  it('is told, and the rest is judged', async () => {
    await whileRefusing(faulty.shop.client, 'listIndexes', 'Unauthorized', () =>
      faulty.lint({ exit: [1], keeps: ['shop.threads'], report: true }),
    );
  });
});

describe('an output', () => {
  it.concurrent('that is full', async () => {
    await faulty.lint({ exit: [2] }, { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] });
  });

  it.concurrent('whose reader is gone', async () => {
    await faulty.lint({ exit: [1] }, { meanwhile: (linter) => void linter.stdout?.destroy() });
  });
});

/** Of each class of "Each input costs only itself"; the first is a success that is none, as on an output that is full. */
describe('costs only itself:', () => {
  const keeps = ['shop.orders', 'shop.threads'];

  it.concurrent('a file of source that ends its parser', async () => {
    const cwd = await folderWith({});
    await writeTree(HOSTILE_TREES[0] as HostileTree, cwd);
    const report = await faulty.lint({ exit: [1], report: true, keeps }, { cwd, args: ['--code', '.'] });
    expect(report?.code).toMatchObject({ unreadFiles: 1, places: 1 });
  });

  it.concurrent('a pattern on a name that somebody else gave', async () => {
    const name = `${'a'.repeat(45)}!`;
    await faulty.shop.client.db('shop').collection(name).insertOne({ a: 1 });
    const rules = "rules:\n  - { id: named, reason: We agreed., name: '(a+)+' }\n";
    const cwd = await folderWith({ 'mongolint.config.yaml': rules });
    const report = await faulty.lint({ exit: [1], report: true, keeps }, { cwd });
    const found = report?.findings.filter(({ check }) => check === 'house/named').map(({ namespace }) => namespace);
    expect(found).toContain(`shop.${name}`);
  });

  it.concurrent('a process that is killed before its first instruction', async () => {
    const killed = `if (process.env.${SUPERVISED_BY}) process.kill(process.pid, 'SIGKILL')`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killed)}` };
    await faulty.lint({ exit: [2], report: false }, { env });
  });

  it.concurrent('a configuration that others can write, which is not run', async () => {
    const file = 'mongolint.config.mjs';
    const cwd = await folderWith({ [file]: "import { writeFileSync } from 'node:fs'; writeFileSync('ran', '')" });
    await chmod(join(cwd, file), 0o666);
    const { stderr } = await runBuilt(['mongodb://127.0.0.1:1', '--timeout', '500ms'], { cwd });
    expect(stderr).toMatch(/mongolint\.config\.mjs was ignored: .+--config/);
    expect(await readdir(cwd)).toEqual([file]);
  });

  it.concurrent.each([
    ['a plugin that is not there', ['--plugin', 'none'], '', /^The plugin "none" was not found from [^\n]+\n$/],
    [
      'a configuration that throws',
      [],
      "export default { get checks() { throw new TypeError('x') } }",
      /^mongolint failed: an error in \S+mongolint\.config\.mjs \(TypeError\)\. [^\n]+\n$/,
    ],
  ])('%s, and is named in one line, without a word of a bug', async (_, argv, text, line) => {
    const cwd = await folderWith(text === '' ? {} : { 'mongolint.config.mjs': text });
    const { code, stderr } = await runBuilt(argv, {
      cwd,
      env: { MONGODB_URI: 'mongodb://127.0.0.1:1', NODE_NO_WARNINGS: '0' },
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(line) as string });
    expect(stderr).not.toContain('bug');
  });
});

async function dropUser(client: MongoClient, user: string): Promise<void> {
  await client.db('admin').command({ dropUser: user });
}
