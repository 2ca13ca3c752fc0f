import { executionOf, type Execution, type NoExecution, type RecordedEntry } from '../operations/execution.js';
import { isInternalThread } from '../operations/internal-operation.js';
import type { KnownShapes } from '../operations/known-shapes.js';

const SLOW_QUERY_MESSAGE = 'Slow query';

/** Every line about an operation has exactly these bytes (4.4 and later); within a string the quotes would be escaped. */
export const SLOW_QUERY = `"msg":"${SLOW_QUERY_MESSAGE}"`;

/** The server's own text, after a prefix by syslog, journald or a container's runtime. */
const LINE_START = '{"t":{"$date":"';

export interface ReadLine {
  /** In ms since 1970; null if the line has no time. */
  readonly at: number | null;
  readonly execution: Execution | NoExecution | 'other';
}

const UNREADABLE: ReadLine = { at: null, execution: 'unreadable' };

/** Reads one line of mongod's or mongos's structured log (4.4 and later). Never throws, whatever is wrong with it. */
export function slowQueryOf(line: string, shapes: KnownShapes): ReadLine {
  const start = line.indexOf(LINE_START);
  if (start === -1 || !line.endsWith('}')) return UNREADABLE;
  const parsed = parsedLine(start === 0 ? line : line.slice(start));
  const at = Date.parse(parsed?.t?.$date ?? '');
  if (parsed === null || Number.isNaN(at))
    return line.includes(SLOW_QUERY) ? UNREADABLE : { at: writtenAt(line), execution: 'other' };
  // A command of an application may hold those bytes: `{insert: "logs", documents: [{msg: "Slow query"}]}`.
  if (parsed.msg !== SLOW_QUERY_MESSAGE) return { at, execution: 'other' };
  if (isInternalThread(parsed.ctx)) return { at, execution: 'ignored' };
  const fields = parsed.attr;
  if (typeof fields !== 'object' || fields === null) return UNREADABLE;
  const entry: RecordedEntry = {
    fields,
    operation: isBatch(fields) ? 'getmore' : fields['type'],
    at,
    milliseconds: fields['durationMillis'],
    responseBytes: fields['reslen'],
    user: fields['user'],
    truncated: parsed.truncated?.command !== undefined || parsed.truncated?.originatingCommand !== undefined,
  };
  return { at, execution: executionOf(entry, (command) => shapes.shapeOf(command)) };
}

export function beginsLine(text: string): boolean {
  return text.includes(LINE_START);
}

export function writtenAt(line: string): number | null {
  const start = line.indexOf(LINE_START) + LINE_START.length;
  const at = Date.parse(line.slice(start, line.indexOf('"', start)));
  return Number.isNaN(at) ? null : at;
}

interface LogLine {
  readonly t?: { readonly $date?: string };
  readonly msg?: unknown;
  readonly ctx?: unknown;
  readonly attr?: Record<string, unknown>;
  readonly truncated?: { readonly command?: unknown; readonly originatingCommand?: unknown };
}

function parsedLine(text: string): LogLine | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as LogLine) : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

function isBatch({ command }: Record<string, unknown>): boolean {
  return typeof command === 'object' && command !== null && 'getMore' in command;
}
