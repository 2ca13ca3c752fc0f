import { isIsoTime } from '../../time-units.js';
import { executionOf, type Execution, type NoExecution, type RecordedEntry } from '../operations/execution.js';
import { isInternalThread } from '../operations/internal-operation.js';
import type { KnownShapes } from '../operations/known-shapes.js';
import { LINE_START, parsedLine, type LogLine } from './connection-drivers.js';
import { ConnectionDrivers } from './connection-drivers.js';

const SLOW_QUERY_MESSAGE = 'Slow query';

/** Every line about an operation has exactly these bytes (4.4 and later); within a string the quotes would be escaped. */
export const SLOW_QUERY = `"msg":"${SLOW_QUERY_MESSAGE}"`;

export interface ReadLine {
  /** In ms since 1970; null if the line has no time. */
  readonly at: number | null;
  readonly execution: Execution | NoExecution | 'other';
  /** Whether mongos wrote it. */
  readonly isOfRouter?: boolean;
}

const UNREADABLE: ReadLine = { at: null, execution: 'unreadable' };

/** Only a server with data reports these. */
const OF_DATA = ['planSummary', 'keysExamined', 'docsExamined', 'storage'] as const;

export class LogContext {
  readonly drivers = new ConnectionDrivers();

  /** @param showValues whether network addresses are read */
  constructor(
    readonly shapes: KnownShapes,
    readonly showValues = false,
  ) {}
}

/** Reads one line of mongod's or mongos's structured log (4.4 and later). Never throws, whatever is wrong with it. */
export function slowQueryOf(line: string, { shapes, drivers, showValues }: LogContext): ReadLine {
  const start = line.indexOf(LINE_START);
  if (start === -1 || !line.endsWith('}')) return UNREADABLE;
  const parsed = parsedLine(start === 0 ? line : line.slice(start));
  const at = Date.parse(parsed?.t?.$date ?? '');
  if (parsed === null || !isIsoTime(at))
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
    driver: drivers.of(parsed.ctx),
    ...(showValues && { address: fields['remote'] }),
    truncated: parsed.truncated?.command !== undefined || parsed.truncated?.originatingCommand !== undefined,
  };
  const execution = executionOf(entry, (command) => shapes.shapeOf(command));
  return { at, execution, isOfRouter: isOfRouter(parsed, fields) };
}

/** Before 8.0 no line says who wrote it. But reading data takes locks, and mongos takes none. */
function isOfRouter({ svc }: LogLine, fields: Record<string, unknown>): boolean {
  if (svc === 'R' || svc === 'S') return svc === 'R';
  const { locks } = fields;
  const isLocked = typeof locks === 'object' && locks !== null && Object.keys(locks).length > 0;
  return !isLocked && OF_DATA.every((name) => fields[name] === undefined);
}

export function beginsLine(text: string): boolean {
  return text.includes(LINE_START);
}

export function writtenAt(line: string): number | null {
  const start = line.indexOf(LINE_START) + LINE_START.length;
  const at = Date.parse(line.slice(start, line.indexOf('"', start)));
  return isIsoTime(at) ? at : null;
}

function isBatch({ command }: Record<string, unknown>): boolean {
  return typeof command === 'object' && command !== null && 'getMore' in command;
}
