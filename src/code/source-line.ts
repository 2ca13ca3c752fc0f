/** A line of a file, from 1. The file is named below the folder of the source, with `/`. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/** "src/orders.ts:42". */
export function lineText({ file, line }: SourceLine): string {
  return `${file}:${line}`;
}

/** Each line once, as it is last. */
export function distinctLines<Line extends SourceLine>(lines: readonly Line[]): Line[] {
  return [...new Map(lines.map((each) => [lineText(each), each])).values()];
}

const SOURCE_FILE = /\.[mc]?[jt]sx?$/;

/** Whether a file of that name is JavaScript or TypeScript. */
export function isSourceFile(name: string): boolean {
  return SOURCE_FILE.test(name);
}

/** Stand for the line of a file that was not read: of JavaScript or TypeScript, or of another language. */
export const UNREAD_LINE = 'unread';
export const FOREIGN_LINE = 'foreign';
