import { clearLine, cursorTo, moveCursor } from 'node:readline';
import { Writable } from 'node:stream';

export type OutputName = 'stdout' | 'stderr';

/** What a thread must know of an output of its process. */
export interface OutputShape {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
}

export function shapeOf({ isTTY, columns }: NodeJS.WriteStream): OutputShape {
  return { isTTY, columns };
}

/** An output of the process, as a thread sees it: what is written goes to `send`, and a terminal stays a terminal. */
export class ThreadOutput extends Writable {
  readonly isTTY: boolean;
  columns: number | undefined;

  constructor(
    { isTTY, columns }: OutputShape,
    private readonly send: (text: string) => void,
  ) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
    this.columns = columns;
  }

  override _write(text: string | Buffer, _: BufferEncoding, done: () => void): void {
    this.send(String(text));
    done();
  }

  /** Sets the width, and tells those that listen, as the stream of a terminal does. */
  resize(columns: number | undefined): void {
    this.columns = columns;
    this.emit('resize');
  }

  clearLine(direction: -1 | 0 | 1, done?: () => void): boolean {
    return clearLine(this, direction, done);
  }

  cursorTo(column: number, row?: number, done?: () => void): boolean {
    return cursorTo(this, column, row, done);
  }

  moveCursor(columns: number, rows: number, done?: () => void): boolean {
    return moveCursor(this, columns, rows, done);
  }
}
