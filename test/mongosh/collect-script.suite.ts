// All of it is real: mongosh, the server, and the code in the script.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { plantLongArrays, printedScript, reportOf, verdictsOf } from '../support/collected-in-shell.js';
import { plantEverything } from '../support/planted-everything.js';
import { ROOT_USER, startReplicaSet, startWithAuth } from '../support/servers.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { plantShop } from '../support/workload/shop-workload.js';
import { runMongosh } from './mongosh.js';

const OUTPUT = 'shop.evidence.jsonl.gz';
/** For machines that are busy with others. */
const PATIENT = ['--timeout', '2min'];

async function folderWithScript(output = OUTPUT): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'collect.js'), await printedScript(['--output', output, ...PATIENT]));
  return folder;
}

/** Without figures: rates of growth are per day, up to the moment of the run. */
function namesOf({ findings }: Report): string[] {
  return findings.map(({ fingerprint, check, severity, confidence }) =>
    [check, severity, confidence, fingerprint].join(' '),
  );
}

describe('the script for mongosh', () => {
  let server: Awaited<ReturnType<typeof startReplicaSet>>;
  beforeAll(async () => {
    server = await startReplicaSet();
    await plantEverything(server.uri);
  });
  afterAll(() => server?.stop());

  it('collects what comes to the findings of a run on the data of the demo', async () => {
    const folder = await folderWithScript();
    expect(await runMongosh([server.uri, '--file', 'collect.js'], folder)).toMatchObject({ exitCode: 0, stderr: '' });
    const judged = await reportOf(['judge', join(folder, OUTPUT)]);
    const linted = await reportOf(PATIENT, { MONGODB_URI: server.uri });
    expect(judged.findings.length).toBeGreaterThan(30);
    expect(namesOf(judged).sort()).toEqual(namesOf(linted).sort());
  });
});

describe('the script for mongosh, on a server with authentication, by the flags of the shell', () => {
  let server: Awaited<ReturnType<typeof startWithAuth>>;
  let connected: readonly string[];
  beforeAll(async () => {
    server = await startWithAuth();
    const client = await new MongoClient(server.uri).connect();
    await plantShop(client.db('shop'));
    await plantLongArrays(client.db('shop'));
    await client.close();
    const host = `mongodb://${new URL(server.uri).host}/`;
    connected = [host, '-u', ROOT_USER.name, '-p', ROOT_USER.password, '--authenticationDatabase', 'admin'];
  });
  afterAll(() => server?.stop());

  it.each([
    ['as a file', ['--file', 'collect.js']],
    ['by load(), twice', ['--eval', 'load("collect.js"); load("collect.js");']],
  ])('collects what comes to the report of a run, %s', async (_, argv) => {
    const folder = await folderWithScript();
    const ended = await runMongosh([...connected, ...argv], folder);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ended.stdout).toContain(`Judge it: mongolint judge ${OUTPUT}`);
    const judged = await reportOf(['judge', join(folder, OUTPUT)]);
    const linted = await reportOf(PATIENT, { MONGODB_URI: server.uri });
    expect(judged.findings.length).toBeGreaterThan(1);
    expect(verdictsOf(judged)).toEqual(verdictsOf(linted));
  });

  it('ends with an error in one line if it can not write', async () => {
    const folder = await folderWithScript('none/e.jsonl');
    const { exitCode, stderr, stdout } = await runMongosh([...connected, '--file', 'collect.js'], folder);
    expect(exitCode).toBe(1);
    expect(`${stdout}${stderr}`).toMatch(/LintError: .*none\/e\.jsonl/);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});
