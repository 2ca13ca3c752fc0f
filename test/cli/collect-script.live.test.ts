/**
 * The server is real, and so is the code that the script holds. The shell is stood in: mongosh rewrites a script so that it
 * waits in sleep(), which `await` does here. `npm run test:mongosh` runs the script in mongosh itself.
 */
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageInfo } from '../../src/files/package-root.js';
import { runCaptured } from '../support/captured-io.js';
import { plantLongArrays, printedScript, reportOf, verdictsOf } from '../support/collected-in-shell.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { plantShop, runShop } from '../support/workload/shop-workload.js';

type Script = (...given: unknown[]) => Promise<void>;
const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => Script;

/** @returns the lines that it printed */
async function runInShell(file: string, uri: string): Promise<string[]> {
  const lines: string[] = [];
  const text = readFileSync(file, 'utf8').replace('sleep(100)', 'await sleep(100)');
  const script = new AsyncFunction('db', 'print', 'sleep', 'require', '__filename', text);
  const db = { getMongo: () => ({ getURI: () => uri }) };
  await script(db, (line: string) => void lines.push(line), sleep, createRequire(file), file);
  return lines;
}

async function scriptFile(argv: readonly string[]): Promise<string> {
  const file = join(await temporaryFolder(), 'collect.js');
  await writeFile(file, await printedScript(argv));
  return file;
}

describe('collect --script', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  beforeAll(async () => {
    await plantShop(database);
    await plantLongArrays(database);
    await database.command({ profile: 2 });
    for (const run of [1, 2, 3]) await runShop(database, run);
    await database.command({ profile: 0 });
  });

  it('collects what comes to the report of a run', async () => {
    const output = join(await temporaryFolder(), 'shop.evidence.jsonl.gz');
    const wanted = ['--include', `${database.databaseName}.*`];
    // A busy machine takes longer than a run spends on the oplog.
    const judging = ['--skip-check', 'fast-growing-array'];
    const uri = `${sharedReplicaSetUri()}&appName=mongosh+2.12.0`;
    const lines = await runInShell(await scriptFile(['--output', output, ...wanted]), uri);
    expect(lines.at(-1)).toContain(`operations is in ${output}. Judge it: mongolint judge ${output}`);
    const judged = await reportOf(['judge', output, ...judging]);
    const linted = await reportOf([...wanted, ...judging], { MONGODB_URI: sharedReplicaSetUri() });
    expect(judged.findings.length).toBeGreaterThan(1);
    expect(verdictsOf(judged)).toEqual(verdictsOf(linted));
  });

  it('fails in one line if nobody answers, and writes nothing', async () => {
    const output = join(await temporaryFolder(), 'none.evidence.jsonl');
    const file = await scriptFile(['--output', output, '--timeout', '300ms']);
    const ended = runInShell(file, 'mongodb://ada:secret@127.0.0.1:1/?serverSelectionTimeoutMS=200');
    await expect(ended).rejects.toThrow(/^No usable server at 127\.0\.0\.1:1 (?:(?!secret).)*$/);
    expect(existsSync(output)).toBe(false);
  });

  it('fails in one line in a shell that hides where the script is', async () => {
    const hidden = (await printedScript([])).replace("typeof __filename !== 'string'", 'true');
    const file = join(await temporaryFolder(), 'collect.js');
    await writeFile(file, hidden);
    await expect(runInShell(file, sharedReplicaSetUri())).rejects.toThrow('run it with mongosh --file, or with load()');
  });

  it('is plain JavaScript that says what it does, with licenses, options, and no path of this machine', async () => {
    const text = await printedScript(['--sample-size', '50', '--skip-check', 'unused-index', '--deep']);
    expect(text).toMatch(new RegExp(`^// mongolint ${packageInfo().version}: writes the evidence of a cluster`));
    expect(text).toContain('"output": "mongolint.evidence.jsonl.gz"');
    expect(text).toContain('"sampleSize": 50,');
    expect(text).toContain('"deep": true');
    expect(text).toContain('"unused-index"');
    expect(/^\/\/\| \/\/ mongodb \d/m.test(text)).toBe(true);
    expect(text).not.toContain(process.cwd());
    const code = text.split('\n').filter((line) => line.startsWith('//| '));
    // What a shell compiles can't import on demand. The driver does only what it was not given.
    const imports = code.filter((line) => /\bimport\(/.test(line) && !line.includes('runtimeAdapters?.os ?? '));
    expect(imports).toEqual([]);
    expect(code.length).toBeGreaterThan(10_000);
  });

  it.each([
    ['a connection string', ['mongodb://ada:secret@db.example.com/'], 'give the connection string to mongosh'],
    ['pseudonyms', ['--pseudonyms'], 'secret of pseudonyms: collect with mongolint'],
    ['a log', ['--log', 'mongod.log'], 'collect --script takes no option --log.'],
    ['a history', ['--history', 'history.jsonl'], 'collect --script takes no option --history.'],
    ['a check that there is not', ['--check', 'nonsense'], 'nonsense'],
  ])('refuses %s in one line', async (_, argv, reason) => {
    const { exitCode, stdout, stderr } = await runCaptured(['collect', '--script', ...argv]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('secret@');
  });
});
