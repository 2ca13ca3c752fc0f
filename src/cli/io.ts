import type { ConfigSearch } from '../config/find-config.js';
import type { RunNote, TimeLimit } from './run-news.js';

export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
}

export interface Io {
  /** Findings, and whatever was asked for. */
  readonly stdout: TextStream;
  /** Progress and errors. */
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
  /** Once called, the first SIGINT, SIGTERM or SIGHUP aborts the signal that it returns. */
  interruption?(): AbortSignal;
  /** Keeps what a run finds outside of itself, and tells who watches it how far it is, and how long it may take. */
  note?(note: RunNote | TimeLimit): void;
  /** Before code of others, or a server, may keep this process from ending: goes on in one that is watched, unless it is. */
  beforeForeignCode?(): Promise<never>;
}

export function configSearch({ stderr, beforeForeignCode }: Io): ConfigSearch {
  return { beforeForeignCode, say: (line) => void stderr.write(`${line}\n`) };
}

const DEFAULT_COLUMNS = 80;

/** Columns to write reports in: the terminal's, or COLUMNS, or 80. */
export function columnsOf({ stdout, env }: Io): number {
  const set = Number(env['COLUMNS']);
  // A pseudo-terminal without a size says 0.
  return stdout.columns || (Number.isInteger(set) && set > 0 ? set : DEFAULT_COLUMNS);
}

/** NO_COLOR and FORCE_COLOR decide, or else whether the stream is a terminal. */
export function hasColor(stream: TextStream, env: Io['env']): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}
