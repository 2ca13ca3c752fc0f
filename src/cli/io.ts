/** A stream for text, as far as the commands use it. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** What a command may use of the process. */
export interface Io {
  /** Findings, and whatever was asked for. */
  readonly stdout: TextStream;
  /** Progress and errors. */
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory: where the configuration is looked for. */
  cwd(): string;
  /** Called where a run can end early: from then on, the first signal to end aborts what is returned, and a second one ends the process. */
  interruption?(): AbortSignal;
}

/** Columns of a terminal where none are known. */
const DEFAULT_COLUMNS = 80;

/** Columns to write reports in: the terminal's, or COLUMNS, or 80. */
export function columnsOf({ stdout, env }: Io): number {
  const set = Number(env['COLUMNS']);
  // A pseudo-terminal without a size says 0.
  return stdout.columns || (Number.isInteger(set) && set > 0 ? set : DEFAULT_COLUMNS);
}

/** Whether to colour a stream: as NO_COLOR and FORCE_COLOR say, or else where it is a terminal. */
export function hasColor(stream: TextStream, env: Io['env']): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}
