/** The extension of VS Code as it is packed: what is in it, and what it starts. VS Code and its client are stand-ins. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { run } from '../support/packed-package.js';

const STARTED = `const { Module } = require('node:module');
const settings = JSON.parse(process.argv[1]);
const workspace = { getConfiguration: () => ({ get: (name) => settings[name] }), createFileSystemWatcher: () => null };
class LanguageClient {
  constructor(_id, server) {
    this.server = server;
  }
  start() {
    process.stdout.write(JSON.stringify(this.server));
  }
}
const load = Module._load;
const standIns = { vscode: { workspace }, 'vscode-languageclient/node': { LanguageClient } };
Module._load = (name, ...rest) => standIns[name] ?? load(name, ...rest);
require('./extension/extension.js').activate();`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mongolint-extension-'));
  const source = join(folder, 'editors/vscode');
  await cp(join(packageRoot(), 'editors/vscode'), source, {
    recursive: true,
    filter: (path) => !/node_modules|\.vsix$/.test(path),
  });
  await cp(join(packageRoot(), 'LICENSE'), join(folder, 'LICENSE'));
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: source });
  await run('npm', ['run', 'package'], { cwd: source });
  const file = (await readdir(source)).find((name) => name.endsWith('.vsix')) ?? '';
  await run('unzip', ['-q', join(source, file), '-d', folder]);
});
afterAll(() => rm(folder, { recursive: true }));

it('holds the extension, its license and its client', async () => {
  expect((await readdir(join(folder, 'extension'))).toSorted()).toEqual([
    'LICENSE.txt',
    'extension.js',
    'node_modules',
    'package.json',
    'readme.md',
  ]);
  expect(await readdir(join(folder, 'extension/node_modules'))).toContain('vscode-languageclient');
});

it.each([
  ['', ''],
  ['e.jsonl.gz', '{"command":"mongolint","args":["lsp","e.jsonl.gz","--code","src"],"options":{"shell":false}}'],
])('starts the server with the evidence %j', async (evidence, started) => {
  const settings = JSON.stringify({ evidence, command: 'mongolint', arguments: ['--code', 'src'] });
  const { stdout } = await run(process.execPath, ['-e', STARTED, settings], { cwd: folder });
  expect(stdout).toBe(started);
});
