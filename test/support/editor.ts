import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { BUILT_COMMAND } from './faults/built-command.js';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

function published({ params }: Message) {
  return params as { readonly uri: string; readonly diagnostics: readonly Diagnostic[] };
}

/** An editor that writes the framing of the protocol itself, and waits for what the server sends, however long. */
export class Editor {
  readonly #server: ChildProcess;
  readonly #received: Message[] = [];
  #waiting: (() => void)[] = [];
  #rest = Buffer.alloc(0);
  #asked = 0;
  #version = 1;
  stderr = '';

  constructor(
    readonly folder: string,
    argv: readonly string[],
  ) {
    this.#server = spawn(process.execPath, [BUILT_COMMAND, 'lsp', ...argv], { cwd: folder });
    this.#server.stdout?.on('data', (bytes: Buffer) => this.#take(bytes));
    this.#server.stderr?.on('data', (bytes: Buffer) => (this.stderr += bytes.toString()));
  }

  static async start(folder: string, argv: readonly string[]): Promise<Editor> {
    const editor = new Editor(folder, argv);
    await editor.ask('initialize', { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {} });
    editor.tell('initialized', {});
    return editor;
  }

  uri(file: string): string {
    return pathToFileURL(join(this.folder, file)).href;
  }

  /** As bytes, whatever they are. */
  write(bytes: string): void {
    this.#server.stdin?.write(bytes);
  }

  tell(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** The result of a request. @throws an error that is the answer */
  async ask(method: string, params: unknown): Promise<unknown> {
    const id = (this.#asked += 1);
    this.#send({ id, method, params });
    const answer = await this.next((message) => message.id === id && message.method === undefined);
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer.result;
  }

  open(file: string, text: string): void {
    this.tell('textDocument/didOpen', {
      textDocument: { uri: this.uri(file), languageId: 'typescript', version: 1, text },
    });
  }

  change(file: string, text: string): void {
    this.#version += 1;
    const textDocument = { uri: this.uri(file), version: this.#version };
    this.tell('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
  }

  /** Waits for diagnostics of a file that are as wanted, and returns them. */
  async diagnostics(file: string, areWanted: (all: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]> {
    const message = await this.next(
      (each) =>
        each.method === 'textDocument/publishDiagnostics' &&
        published(each).uri === this.uri(file) &&
        areWanted(published(each).diagnostics),
    );
    return published(message).diagnostics;
  }

  /** Waits for a message that is shown to people. */
  async message(): Promise<string> {
    const { params } = await this.next(({ method }) => method === 'window/showMessage');
    return (params as { readonly message: string }).message;
  }

  /** The first message that is as wanted, and was not taken before. */
  async next(isWanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const at = this.#received.findIndex(isWanted);
      if (at !== -1) return this.#received.splice(at, 1)[0] as Message;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** As editors end a server. Returns its exit code. */
  async end(): Promise<number | null> {
    await this.ask('shutdown', null);
    const exit = once(this.#server, 'exit');
    this.tell('exit', undefined);
    const [code] = (await exit) as [number | null];
    return code;
  }

  /** Closes stdin, as an editor that crashes. Returns the exit code. */
  async leave(): Promise<number | null> {
    const exit = once(this.#server, 'exit');
    this.#server.stdin?.end();
    const [code] = (await exit) as [number | null];
    return code;
  }

  kill(): void {
    this.#server.kill('SIGTERM');
  }

  #send(message: Message): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #take(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const end = this.#rest.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(this.#rest.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end === -1 || this.#rest.length < end + 4 + length) break;
      this.#received.push(JSON.parse(this.#rest.subarray(end + 4, end + 4 + length).toString()) as Message);
      this.#rest = this.#rest.subarray(end + 4 + length);
    }
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
