import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as Protocol from 'vscode-languageserver-protocol';
import { isListed, type Place } from '../../code/place.js';
import { packageInfo } from '../../files/package-root.js';
import { groupedBy } from '../../grouped-by.js';
import { MS_PER_MINUTE } from '../../time-units.js';
import { callText } from '../code-command.js';
import type { Io } from '../io.js';
import type { RunOptions } from '../run-options.js';
import { lineOf } from '../shown-errors.js';
import { figuresOfCall, indexHint, type JudgedSource } from './call-figures.js';
import { actionsFor, diagnosticOf, SHOW_COMMAND, type ShownFinding, shownFindings } from './diagnostics.js';
import { Project, type ReadProject } from './project.js';

/** In ms without a change, before the source is read again. Judgement: below the pause between two words. */
const PAUSE = 100;

/** In ms. A file that its reader is stuck at takes one minute of it. */
const LONGEST_READING = 10 * MS_PER_MINUTE;

/** As the protocol numbers the kinds of messages, and of synchronization. */
const WARNING = 2;
const INFO = 3;
const FULL = 1;

/** Answers an editor: what it shows is what the last reading found. */
export class LanguageServer {
  #root: string;
  #project: Promise<Project | null> = Promise.resolve(null);
  /** What the editor holds of files, by path. */
  readonly #texts = new Map<string, string>();
  #read: ReadProject | null = null;
  #shown: ReadonlyMap<string, readonly ShownFinding[]> = new Map();
  /** As JSON, by file. */
  readonly #published = new Map<string, string>();
  /** As the editor writes the addresses of files that are open. */
  readonly #uris = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  #refreshesHints = false;

  constructor(
    private readonly connection: Protocol.ProtocolConnection,
    private readonly file: string,
    private readonly flags: Partial<RunOptions>,
    private readonly io: Io,
  ) {
    this.#root = io.cwd();
    connection.onRequest('initialize', (params: Protocol.InitializeParams) => this.#initialize(params));
    connection.onNotification('initialized', () => this.#changed());
    connection.onRequest('shutdown', () => null);
    connection.onNotification(
      'textDocument/didOpen',
      ({ textDocument: { uri, text } }: Protocol.DidOpenTextDocumentParams) => this.#take(uri, text),
    );
    connection.onNotification('textDocument/didChange', (params: Protocol.DidChangeTextDocumentParams) =>
      this.#take(params.textDocument.uri, params.contentChanges.at(-1)?.text),
    );
    connection.onNotification('textDocument/didClose', ({ textDocument }: Protocol.DidCloseTextDocumentParams) =>
      this.#take(textDocument.uri, null),
    );
    connection.onNotification('textDocument/didSave', async ({ textDocument }: Protocol.DidSaveTextDocumentParams) => {
      (await this.#project)?.reader.retry(pathOf(textDocument.uri) ?? '');
      this.#changed();
    });
    connection.onNotification('workspace/didChangeWatchedFiles', () => this.#changed());
    connection.onRequest('textDocument/hover', (params: Protocol.HoverParams) => this.#hover(params));
    connection.onRequest('textDocument/inlayHint', (params: Protocol.InlayHintParams) => this.#hints(params));
    connection.onRequest('textDocument/codeAction', (params: Protocol.CodeActionParams) => this.#actions(params));
    connection.onRequest(
      'workspace/executeCommand',
      ({ command, arguments: [text] = [] }: Protocol.ExecuteCommandParams) => {
        if (command === SHOW_COMMAND) this.#show(INFO, String(text));
        return null;
      },
    );
  }

  end(): void {
    clearTimeout(this.#timer);
    void this.#project.then((project) => project?.reader.end());
  }

  #initialize({ workspaceFolders, rootUri, capabilities }: Protocol.InitializeParams): Protocol.InitializeResult {
    this.#root = pathOf(workspaceFolders?.[0]?.uri ?? rootUri ?? '') ?? this.#root;
    this.#refreshesHints = capabilities?.workspace?.inlayHint?.refreshSupport === true;
    const io = { ...this.io, cwd: () => this.#root };
    const warn = (message: string) => this.#show(WARNING, message);
    this.#project = Project.open(this.file, this.flags, io, warn).catch((error: unknown) => {
      warn(lineOf(error));
      return null;
    });
    return {
      serverInfo: packageInfo(),
      capabilities: {
        textDocumentSync: { openClose: true, change: FULL, save: true },
        hoverProvider: true,
        inlayHintProvider: true,
        codeActionProvider: { codeActionKinds: ['quickfix'] },
        executeCommandProvider: { commands: [SHOW_COMMAND] },
      },
    };
  }

  #show(type: number, message: string): void {
    void this.connection.sendNotification('window/showMessage', { type, message });
  }

  /** @param text null of a file that is no longer open */
  #take(uri: string, text: string | null | undefined): void {
    const path = pathOf(uri);
    if (path === null || text === undefined) return;
    // An editor may drop the findings of a file that is not open.
    if (!this.#texts.has(path)) this.#published.set(this.#nameOf(uri), '');
    if (text === null) this.#texts.delete(path);
    else this.#texts.set(path, text);
    this.#uris.set(path, uri);
    this.#changed();
  }

  #changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), PAUSE);
  }

  async #refresh(): Promise<void> {
    const project = await this.#project;
    if (project === null) return;
    if (this.#isReading) return this.#changed();
    this.#isReading = true;
    this.#limit(LONGEST_READING);
    try {
      this.#read = await project.read(this.#texts);
      this.#publish();
      // An editor that does not answer, or refuses, has the old ones until it asks again.
      if (this.#refreshesHints) this.connection.sendRequest('workspace/inlayHint/refresh').catch(() => {});
    } catch (error) {
      this.#show(WARNING, lineOf(error));
    } finally {
      this.#isReading = false;
      this.#limit(null);
    }
  }

  #limit(milliseconds: number | null): void {
    this.io.note?.({ kind: 'limit', of: 'reading', milliseconds, why: 'it read the source for too long' });
  }

  #publish(): void {
    const { report, code } = this.#read ?? {};
    this.#shown = groupedBy(report === undefined ? [] : shownFindings(report), ({ location }) => location.file);
    for (const file of new Set([...this.#published.keys(), ...this.#shown.keys()])) {
      const diagnostics = (this.#shown.get(file) ?? []).flatMap((each): Protocol.Diagnostic[] =>
        code === undefined ? [] : [diagnosticOf(each, code)],
      );
      const written = JSON.stringify(diagnostics);
      if (this.#published.get(file) === written) continue;
      this.#published.set(file, written);
      const path = resolve(this.#root, file);
      const uri = this.#uris.get(path) ?? pathToFileURL(path).href;
      void this.connection.sendNotification('textDocument/publishDiagnostics', { uri, diagnostics });
    }
  }

  #hover({ textDocument, position }: Protocol.HoverParams): Protocol.Hover | null {
    const read = this.#read;
    const calls = this.#calls(textDocument.uri, position.line, position.line);
    if (read === null || calls.length === 0) return null;
    const texts = calls.map((place) => (isJudged(read) ? figuresOfCall(place, read) : callText(place)));
    return { contents: { kind: 'plaintext', value: texts.join('\n\n') } };
  }

  #hints({ textDocument, range }: Protocol.InlayHintParams): Protocol.InlayHint[] {
    const read = this.#read;
    if (read === null || !isJudged(read)) return [];
    return this.#calls(textDocument.uri, range.start.line, range.end.line).flatMap((place): Protocol.InlayHint[] => {
      const label = indexHint(place, read);
      if (label === null) return [];
      const character = this.#lineOf(textDocument.uri, place.line - 1).length;
      return [{ position: { line: place.line - 1, character }, label, paddingLeft: true }];
    });
  }

  #actions({ textDocument, range }: Protocol.CodeActionParams): Protocol.CodeAction[] {
    const isMeant = ({ location }: ShownFinding) =>
      location.line > range.start.line && location.line <= range.end.line + 1;
    const shown = (this.#shown.get(this.#nameOf(textDocument.uri)) ?? []).filter(isMeant);
    return shown.flatMap((each) =>
      actionsFor(each, textDocument.uri, this.#lineOf(textDocument.uri, each.location.line - 1)),
    );
  }

  /** As findings name it. */
  #nameOf(uri: string): string {
    return relative(this.#root, pathOf(uri) ?? this.#root).replaceAll('\\', '/');
  }

  /** @param line from 0 */
  #lineOf(uri: string, line: number): string {
    return this.#texts.get(pathOf(uri) ?? '')?.split(/\r?\n/)[line] ?? '';
  }

  /** @param from from 0, as `to` */
  #calls(uri: string, from: number, to: number): Place[] {
    const file = this.#nameOf(uri);
    return (this.#read?.code.places ?? []).filter(
      (place) => place.file === file && isListed(place) && place.line > from && place.line <= to + 1,
    );
  }
}

function isJudged(read: ReadProject): read is JudgedSource {
  return read.judgement !== undefined;
}

/** Null for what is no file, such as a text without a name. */
function pathOf(uri: string): string | null {
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}
