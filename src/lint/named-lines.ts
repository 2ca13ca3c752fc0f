import type { UnderstoodCode } from '../code/understood-code.js';
import type { LineOf } from '../workload/operations/execution.js';

/** In characters. Nothing is read of longer comments. */
const LONGEST_COMMENT = 300;

/** As "at=src/orders.ts:42". */
const NAMED_LINE = /^at=(.+):([1-9]\d{0,6})$/;

/** Reads comments of operations, of which nothing is kept but the name of a file that was read, and a line that it has. */
export function namedLines({ byName }: Pick<UnderstoodCode, 'byName'>): LineOf {
  return (comment) => {
    if (typeof comment !== 'string' || comment.length > LONGEST_COMMENT) return null;
    const [, file, line] = NAMED_LINE.exec(comment) ?? [];
    const source = file === undefined ? undefined : byName.get(file);
    return source !== undefined && Number(line) <= source.lines ? `${file}:${line}` : null;
  };
}
