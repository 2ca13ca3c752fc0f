import { FOREIGN_LINE, isSourceFile, UNREAD_LINE } from '../code/source-line.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import type { LineOf } from '../workload/operations/execution.js';
import type { SourceFolders } from './source-in.js';

/** In characters. Nothing is read of longer comments. */
const LONGEST_COMMENT = 300;

/** As "at=src/orders.ts:42". */
const NAMED_LINE = /^at=(?<file>.+):(?<line>[1-9]\d{0,6})$/;

/**
 * Reads comments of operations, of which nothing is kept but the name of a file that was read, and a line that it has if the
 * comment names one; or that it names a file that was not read.
 *
 * @param folders whose `comments` say how the program writes them
 */
export function namedLines({ byName }: Pick<UnderstoodCode, 'byName'>, folders: SourceFolders = []): LineOf {
  const patterns = [
    { pattern: NAMED_LINE, below: [''] },
    ...folders.flatMap((folder) =>
      typeof folder === 'string'
        ? []
        : (folder.comments ?? []).map((text) => ({
            pattern: new RegExp(text),
            below: ['', `${folder.name ?? folder.dir}/`],
          })),
    ),
  ];
  return (comment) => {
    if (typeof comment !== 'string' || comment.length > LONGEST_COMMENT) return null;
    let unread: string | null = null;
    for (const { pattern, below } of patterns) {
      const { file, line } = pattern.exec(comment)?.groups ?? {};
      if (file === undefined) continue;
      const names = [file, decoded(file)].flatMap((name) => below.map((prefix) => prefix + name));
      const found = names.find((name) => byName.has(name));
      const lines = found === undefined ? undefined : byName.get(found)?.lines;
      if (lines === undefined) unread ??= isOfOther(file) ? FOREIGN_LINE : UNREAD_LINE;
      else if (line === undefined) return found as string;
      else return isWithin(line, lines) ? `${found}:${line}` : null;
    }
    return unread;
  };
}

/** As sqlcommenter writes values. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether its ending is that of another language. */
function isOfOther(file: string): boolean {
  return /\.\w+$/.test(file) && !isSourceFile(file);
}

function isWithin(line: string, lines: number): boolean {
  return /^[1-9]\d{0,6}$/.test(line) && Number(line) <= lines;
}
