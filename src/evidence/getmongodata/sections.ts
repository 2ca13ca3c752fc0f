import type { Document } from 'mongodb';
import { FileFault } from '../../file-fault.js';

/** One answer in a file of getMongoData.js, MongoDB's script for support cases, in the order in which it asked. */
export interface Section {
  readonly section: string;
  /** In lower case: `collection_stats_(mb)`. Empty if it has none. */
  readonly subsection: string;
  /** What the server answered, with BSON's numbers as numbers; null if it refused. */
  readonly output: unknown;
  /** Absent if the script was run without `_verbose`. */
  readonly commandParameters?: Document;
  /** When it was answered, in ms since 1970; null if the script was run without `_verbose`. */
  readonly at: number | null;
}

const HOW = 'run it as `mongosh --quiet --norc getMongoData.js > FILE`';

/**
 * The answers in the text of a file. What the shell or the script prints around them is passed over.
 *
 * @throws FileFault if it is something else
 */
export function sectionsIn(text: string): Section[] {
  const [start, end] = [text.search(/^\[\s*$/m), text.lastIndexOf('\n]')];
  if (/^\*\* |^getMongoData\.js version/m.test(text) && start === -1)
    throw new FileFault(`it is the readable output of getMongoData.js: ${HOW}, which writes JSON`);
  const entries = start === -1 || end < start ? parsedText(text) : parsedText(text.slice(start, end + 2));
  if (!Array.isArray(entries)) throw notItsOutput();
  const sections = entries.flatMap(sectionIn);
  if (sections.length === 0 || !sections.some(({ section }) => section === 'server_info')) throw notItsOutput();
  return sections;
}

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text, plainValue) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new FileFault(`it is no JSON, or was cut: ${HOW}`, { cause: error });
    throw error;
  }
}

const NUMBER = /^\$number(?:Int|Long|Double|Decimal)$/;

/** Of Extended JSON. Not by its own parser: that refuses the `$binary` of the script, which has the base64 alone. */
function plainValue(_name: string, value: unknown): unknown {
  if (!isDocument(value)) return value;
  const [name = '', ...others] = Object.keys(value);
  if (others.length > 0) return value;
  if (NUMBER.test(name)) return Number(value[name]);
  return name === '$date' ? new Date(value[name] as number | string) : value;
}

function notItsOutput(): FileFault {
  return new FileFault(`it is no output of getMongoData.js: ${HOW}`);
}

function sectionIn(entry: unknown): Section[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { section, subsection, output = null, commandParameters, ts } = entry as Document;
  if (typeof section !== 'string') return [];
  return [
    {
      section,
      subsection: typeof subsection === 'string' ? subsection.toLowerCase() : '',
      output: output as unknown,
      ...(isDocument(commandParameters) && { commandParameters }),
      at: timeOf((ts as Document | undefined)?.['end']),
    },
  ];
}

/** The script writes times as ms since 1970. */
function timeOf(value: unknown): number | null {
  const time = value instanceof Date ? value.getTime() : Number.NaN;
  return Number.isFinite(time) ? time : null;
}

export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
