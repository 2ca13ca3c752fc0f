import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { parseBaseline } from '../../src/policy/baseline-file.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const COMMAND = join(packageRoot(), 'dist/bundle/cli.js');
/** What is declared, beside the history. */
const DECLARED = 'history.jsonl.declared.jsonl';
const NAMES = 'shop\u202Egnp\u001B[31m';

const client = sharedClient();
const database = freshDatabase(client);
let folder = '';

beforeAll(async () => {
  if (!existsSync(COMMAND)) throw new Error('This test runs the built command: first run "npm run build".');
  // Ninety levels are an error.
  await database.collection(NAMES).insertMany([{ a: JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`) }]);
});

beforeEach(async () => {
  folder = await temporaryFolder();
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command in bash, as `"$MONGOLINT" …` with the arguments written there. */
async function bash(script: string): Promise<Ended> {
  const environment = {
    ...process.env,
    MONGODB_URI: sharedReplicaSetUri(),
    NODE: process.execPath,
    COMMAND,
    INCLUDE: `${database.databaseName}.*`,
  };
  const lint = 'lint() { "$NODE" "$COMMAND" --no-progress --include "$INCLUDE" "$@"; }';
  return promisify(execFile)('bash', ['-c', `umask 022; ${lint}; ${script}`], { cwd: folder, env: environment })
    .then(({ stdout, stderr }) => ({ code: 0, stdout, stderr }))
    .catch((error: Ended) => error);
}

async function modeOf(name: string): Promise<number> {
  return (await stat(join(folder, name))).mode & 0o777;
}

describe.runIf(process.platform === 'linux')('files that a run writes', () => {
  it('are private if they are new, keep their mode if not, and hold no acting characters', async () => {
    await writeFile(join(folder, 'report.prom'), '', { mode: 0o644 });
    const outputs = '--format json=new.json --format prometheus=report.prom --history history.jsonl';
    const { code, stderr } = await bash(`lint ${outputs} --baseline known.jsonl --update-baseline`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const modes = await Promise.all(['new.json', 'history.jsonl', DECLARED, 'report.prom', 'known.jsonl'].map(modeOf));
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o644, 0o644]);
    const written = ['history.jsonl', DECLARED, 'known.jsonl', 'new.json', 'report.prom'];
    expect((await readdir(folder)).toSorted()).toEqual(written);
    const baseline = await readFile(join(folder, 'known.jsonl'), 'utf8');
    const others = ['history.jsonl', DECLARED].map((file) => readFile(join(folder, file), 'utf8'));
    for (const text of [baseline, ...(await Promise.all(others))]) expect(text).toMatch(/^[\n\x20-\x7e]+$/);
    expect(parseBaseline(baseline, 'known.jsonl').map(({ namespace }) => namespace)).toContain(
      `${database.databaseName}.${NAMES}`,
    );
    expect((await bash('lint --baseline known.jsonl --fail-on info')).code).toBe(0);
  });

  it.each([
    [
      'a process substitution',
      'lint --format json=>(cat >out) >/dev/null; code=$?; while ! grep -q "^}" out; do :; done',
    ],
    ['standard output', 'lint --format json=/dev/stdout --quiet >out; code=$?'],
    ['standard output, a pipe', 'lint --format json=/dev/stdout | cat >out; code=${PIPESTATUS[0]}'],
    ['a named pipe with a reader', 'mkfifo p; cat p >out & lint --format json=p >/dev/null; code=$?; wait'],
  ])('go to %s', async (_, script) => {
    const { code, stderr } = await bash(`${script}; exit $code`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(await readFile(join(folder, 'out'), 'utf8')).toContain('"schemaVersion"');
  });

  it('go to a link of the user, which is named', async () => {
    const { code, stderr } = await bash('ln -s out link; lint --format json=link >/dev/null; exit $?');
    expect(stderr).toMatch(/\nSee link\.\n$/);
    expect(code).toBe(1);
    expect(await readFile(join(folder, 'out'), 'utf8')).toContain('"schemaVersion"');
  });

  it('a named pipe without a reader is one line and exit code 2, after the other reports', async () => {
    const { code, stdout, stderr } = await bash('mkfifo p; lint --format json=p --format table');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'The json report could not be written to p: nobody reads from it.\n',
    });
    expect(stdout).toContain('deep-nesting');
  });

  it('a baseline may come through a process substitution', async () => {
    await bash('lint --baseline known.jsonl --update-baseline');
    expect((await bash('lint --fail-on info --baseline <(sleep 0.2; cat known.jsonl)')).code).toBe(0);
  });

  it('a full disk is one line and exit code 2', async () => {
    expect(await bash('lint --format json=/dev/full')).toMatchObject({
      code: 2,
      stderr: 'The json report could not be written to /dev/full: the disk is full.\n',
    });
    expect((await bash('lint >/dev/full')).code).toBe(2);
  });
});
