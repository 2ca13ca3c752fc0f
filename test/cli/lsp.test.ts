/** The language server as it is built, asked by an editor that writes the protocol itself; on evidence of a small shop. */
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CodeAction, Diagnostic, Hover, InlayHint } from 'vscode-languageserver-protocol';
import { packageRoot } from '../../src/files/package-root.js';
import { folderWith } from '../support/config-folder.js';
import { Editor } from '../support/editor.js';

const EVIDENCE = join(packageRoot(), 'site/evidence/shop.evidence.jsonl.gz');
const DATABASE = `import { MongoClient } from 'mongodb';
export const shop = new MongoClient('mongodb://localhost').db('shop');
export const orders = shop.collection('orders');
`;
const ORDERS = `import { orders } from './database.js';

export function ofCustomer(customer: string) {
  return orders.find({ customer }).sort({ placed: -1 }).toArray();
}
`;
const BY_STATUS = `
export function byStatus(status: string) {
  return orders.find({ status }).limit(10).toArray();
}
`;
const AT = 'src/orders.ts';

async function project(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await folderWith({ 'src/database.ts': DATABASE, [AT]: ORDERS, ...files });
  await cp(EVIDENCE, join(folder, 'shop.jsonl.gz'));
  return folder;
}

async function edited(folder: string, argv = ['shop.jsonl.gz', '--code', 'src']): Promise<Editor> {
  const editor = await Editor.start(folder, argv);
  onTestFinished(() => editor.kill());
  return editor;
}

const linesOf = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map(({ code, range, severity }) => `${range.start.line + 1}: ${code} ${severity}`).toSorted();
const are = (lines: readonly string[]) => (diagnostics: readonly Diagnostic[]) =>
  linesOf(diagnostics).join() === lines.join();
const SCAN = '4: collection-scan 2';
const beginningOf = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 5 } });

describe('mongolint lsp', () => {
  it('shows findings at their lines as one types, and takes them back', async () => {
    const editor = await edited(await project());
    editor.open(AT, ORDERS);
    const [found] = await editor.diagnostics(AT, are([SCAN]));
    expect(found).toMatchObject({
      range: { start: { line: 3, character: 16 }, end: { line: 3, character: 20 } },
      source: 'mongolint',
      message: expect.stringContaining('No index serves find by `customer`, sorted by `placed` descending.'),
    });
    editor.change(AT, `// More.\n${ORDERS}${BY_STATUS}`);
    await editor.diagnostics(AT, are(['5: collection-scan 2', '9: unindexed-query 3']));
    editor.change(AT, ORDERS.replace('{ customer }', '{ _id: customer }'));
    await editor.diagnostics(AT, are([]));
    expect(await editor.end()).toBe(0);
    expect(editor.stderr).toBe('');
  });

  it('calls a line that may be meant a hint, and names the others', async () => {
    const editor = await edited(await project({ 'src/again.ts': ORDERS }));
    const [maybe] = await editor.diagnostics(AT, are(['4: collection-scan 4']));
    expect(maybe?.message).toContain(' It may be this line, or src/again.ts:4.');
    expect(await editor.leave()).toBe(0);
  });

  it('says on a call what it costs in production, and whether an index would serve it', async () => {
    const editor = await edited(await project());
    const text = `${ORDERS}${BY_STATUS}orders.find({ number: 4 });\norders.insertOne({});\n`;
    editor.open(AT, text);
    await editor.diagnostics(AT, are([SCAN, '8: unindexed-query 3']));
    const textDocument = { uri: editor.uri(AT) };
    const hover = async (line: number) =>
      (await editor.ask('textDocument/hover', { textDocument, position: { line, character: 12 } })) as Hover | null;
    expect(await hover(3)).toEqual({
      contents: {
        kind: 'plaintext',
        value: `orders.find: by customer, sorted by placed
shop.orders: find by \`customer\`, sorted by \`placed\` descending
  5 executions of 2 ms; each reads 12,000 documents to return 29 (profiler, only 403 ms)
Index: no index, reads all 12,000 documents; to serve it, db.getSiblingDB("shop").orders.createIndex({ customer: 1, placed: -1 });`,
      },
    });
    expect(await hover(7)).toMatchObject({ contents: { value: expect.stringContaining('\nNot recorded.\n') } });
    expect(await hover(0)).toBe(null);
    const range = { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } };
    const hints = (await editor.ask('textDocument/inlayHint', { textDocument, range })) as InlayHint[];
    expect(hints.map(({ position, label }) => [position.line + 1, label])).toEqual([
      [4, 'no index, reads all 12,000 documents'],
      [8, 'no index, scans the collection'],
      [10, 'served by number_1'],
    ]);
  });

  it('fixes what needs nobody to decide: the comment without its reason, and the command to copy', async () => {
    const editor = await edited(await project());
    editor.open(AT, ORDERS);
    await editor.diagnostics(AT, are([SCAN]));
    const textDocument = { uri: editor.uri(AT) };
    const actionsAt = async (line: number) =>
      (await editor.ask('textDocument/codeAction', {
        textDocument,
        range: beginningOf(line),
        context: { diagnostics: [] },
      })) as CodeAction[];
    expect(await actionsAt(2)).toEqual([]);
    const [ignore, show] = await actionsAt(3);
    const [edit] = ignore?.edit?.changes?.[textDocument.uri] ?? [];
    expect(edit).toEqual({
      range: { start: { line: 3, character: 0 }, end: { line: 3, character: 0 } },
      newText: '  // mongolint-ignore collection-scan: <reason>\n',
    });
    const lines = ORDERS.split('\n');
    const ignored = [...lines.slice(0, 3), edit?.newText.trimEnd(), ...lines.slice(3)].join('\n');
    editor.change(AT, ignored);
    await editor.diagnostics(AT, are(['5: collection-scan 2']));
    editor.change(AT, ignored.replace('<reason>', 'a report of once a year'));
    // What shares its remedy was shown below it.
    await editor.diagnostics(AT, are(['5: unindexed-reference 2']));
    await editor.ask('workspace/executeCommand', show?.command);
    expect(await editor.message()).toBe('db.getSiblingDB("shop").orders.createIndex({ customer: 1, placed: -1 });');
  });

  it('keeps what it knew of a file that does not parse, and goes on with the others', async () => {
    const editor = await edited(await project());
    editor.open(AT, ORDERS);
    await editor.diagnostics(AT, are([SCAN]));
    editor.change(AT, ORDERS.replace('sort({', 'sort(({{'));
    editor.open('src/more.ts', '');
    await writeFile(join(editor.folder, 'src/more.ts'), '');
    editor.change('src/more.ts', `import { orders } from './database.js';\n${BY_STATUS}`);
    await editor.diagnostics('src/more.ts', are(['4: unindexed-query 3']));
    editor.change(AT, `\n${ORDERS}`);
    await editor.diagnostics(AT, are(['5: collection-scan 2']));
    expect(await editor.end()).toBe(0);
  });

  it('goes on with the source alone if evidence is missing or damaged, until it is whole', async () => {
    const editor = await edited(await project(), ['none.jsonl.gz', '--code', 'src']);
    const evidence = join(editor.folder, 'none.jsonl.gz');
    expect(await editor.message()).toMatch(/none\.jsonl\.gz.* Nothing is judged without it\.$/);
    await writeFile(evidence, (await readFile(EVIDENCE)).subarray(0, 5_000));
    editor.open(AT, ORDERS);
    expect(await editor.message()).toMatch(/none\.jsonl\.gz.* Nothing is judged without it\.$/);
    const textDocument = { uri: editor.uri(AT) };
    expect(await editor.ask('textDocument/hover', { textDocument, position: { line: 3, character: 0 } })).toEqual({
      contents: { kind: 'plaintext', value: 'orders.find: by customer, sorted by placed' },
    });
    await cp(EVIDENCE, evidence);
    editor.tell('textDocument/didSave', { textDocument });
    await editor.diagnostics(AT, are([SCAN]));
    await rm(evidence);
    editor.change(AT, `\n${ORDERS}`);
    expect(await editor.message()).toMatch(/none\.jsonl\.gz.* The earlier evidence counts meanwhile\.$/);
    await editor.diagnostics(AT, are(['5: collection-scan 2']));
  });

  it('survives that a folder is renamed and comes back', async () => {
    const editor = await edited(await project());
    const [here, there] = ['src', 'gone'].map((name) => join(editor.folder, name)) as [string, string];
    await editor.diagnostics(AT, are([SCAN]));
    await rename(here, there);
    editor.tell('workspace/didChangeWatchedFiles', { changes: [] });
    expect(await editor.message()).toContain("src can't be read");
    await editor.diagnostics(AT, are([]));
    await rename(there, here);
    editor.tell('workspace/didChangeWatchedFiles', { changes: [] });
    await editor.diagnostics(AT, are([SCAN]));
  });

  it('goes on after what is no message, no method or no file', async () => {
    const editor = await edited(await project());
    await editor.diagnostics(AT, are([SCAN]));
    editor.write('GET / HTTP/1.1\r\n\r\n');
    editor.write('Content-Length: 9\r\n\r\n{"jsonrpc');
    editor.write('Content-Length: 4\r\n\r\nnull');
    editor.write('Content-Length: many\r\n\r\n');
    await expect(editor.ask('textDocument/nothing', {})).rejects.toThrow('Unhandled method textDocument/nothing');
    await expect(editor.ask('textDocument/hover', {})).rejects.toThrow('Request textDocument/hover failed');
    editor.tell('textDocument/didChange', 'nothing');
    editor.tell('textDocument/didOpen', { textDocument: { uri: 'untitled:1', text: 'x' } });
    editor.change(AT, `\n${ORDERS}`);
    await editor.diagnostics(AT, are(['5: collection-scan 2']));
    expect(await editor.end()).toBe(0);
  });

  it('says what is wrong with the configuration', async () => {
    const editor = await edited(await project({ 'mongolint.config.yaml': 'checks:\n  no-such-check: off\n' }));
    expect(await editor.message()).toContain('no-such-check');
    expect(await editor.end()).toBe(0);
  });
});
