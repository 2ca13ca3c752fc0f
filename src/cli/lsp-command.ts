import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { terminalText } from '../text/terminal-text.js';
import type { Io } from './io.js';
import { LanguageServer } from './lsp/language-server.js';
import type { RunOptions } from './run-options.js';
import { withShownErrors } from './shown-errors.js';

/** Serves an editor by the Language Server Protocol on stdin and stdout, until it closes stdin or sends `exit`. */
export function lspCommand(file: string, flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  return withShownErrors('', flags, io, async () => {
    const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = await protocol();
    const connection = createProtocolConnection(
      new StreamMessageReader(process.stdin),
      new StreamMessageWriter(process.stdout),
    );
    connection.onError(([{ message }]) => {
      io.stderr.write(`A message could not be read: ${terminalText(message)}\n`);
      // What follows came with it, and would wait for the next message.
      process.stdin.emit('data', Buffer.alloc(0));
    });
    const server = new LanguageServer(connection, file, flags, io);
    const closed = new Promise<void>((done) => {
      connection.onNotification('exit', done);
      connection.onClose(done);
      process.stdin.once('end', done);
    });
    connection.listen();
    io.note?.({ kind: 'limit', of: 'command', milliseconds: null, why: '' });
    await closed;
    server.end();
    return EXIT_CODES.clean;
  });
}

async function protocol() {
  try {
    return await import('vscode-languageserver-protocol/node');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new LintError(
      'mongolint lsp needs the package vscode-languageserver-protocol: npm install vscode-languageserver-protocol, beside mongolint.',
    );
  }
}
