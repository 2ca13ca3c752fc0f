import { join, posix } from 'node:path';
import { readRegular } from '../files/bounded-file.js';
import { FileFault, isMissing } from '../files/file-fault.js';
import { objectOf, parsedJson, textsIn } from './json-text.js';

const GENERATED_NAME = /[.-](?:min|bundle|bundled|pack)\.[mc]?js$|(?:^|\/)(?:bundle|\.pnp)\.[mc]?js$/;

/** A comment, or what webpack calls its function of modules, in code. */
const GENERATED_MARK = /^[ \t]*(?:\/\/|\/?\*).*@generated\b|\b__webpack_require__\s*[=(,.)]/m;

/** Characters at the beginning of a file that may say where it comes from. */
const LARGEST_MARKED = 2_000;

/** Bytes of the largest file that people write; the others are bundles, or data. */
const LARGEST_WRITTEN = 500_000;

/** Bytes of a file whose lines are looked at, and of a line on average: people stay below 60. */
const LEAST_MINIFIED = 5_000;
const LONGEST_LINES = 200;

const MAP_MARK = /^\/\/[#@] ?sourceMappingURL=(\S+)$/;
const INLINE_MAP = /^data:application\/json;(?:charset=[\w-]+;)?base64,/;

/** Bytes of a source map, which holds its sources too. */
const LARGEST_MAP = 8_000_000;

/** A folder of source, and the files below it that are read. */
interface ReadTree {
  readonly folder: string;
  readonly files: ReadonlySet<string>;
}

/** Whether a bundler or a minifier wrote a file, or a compiler from another one that is read. */
export function isGenerated(file: string, text: string, { folder, files }: ReadTree): boolean {
  const { code, map } = mapNamed(text);
  return (
    GENERATED_NAME.test(file) ||
    code.length > LARGEST_WRITTEN ||
    GENERATED_MARK.test(code.slice(0, LARGEST_MARKED)) ||
    (code.length >= LEAST_MINIFIED && code.length / code.split('\n').length > LONGEST_LINES) ||
    (map !== null && mappedSources(folder, file, map).some((source) => source !== file && files.has(source)))
  );
}

/** The map that a comment after the code names, and what stands before it. */
function mapNamed(text: string): { readonly code: string; readonly map: string | null } {
  for (let end = text.length; end > 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end).trim();
    const [, map] = MAP_MARK.exec(line) ?? [];
    if (map !== undefined) return { code: text.slice(0, start), map };
    if (line !== '' && !line.startsWith('//')) break;
    end = start - 1;
  }
  return { code: text, map: null };
}

/** The files that a source map names; none if it lies elsewhere. */
function mappedSources(folder: string, file: string, map: string): readonly string[] {
  const isInline = INLINE_MAP.test(map);
  const path = isInline ? file : posix.join(posix.dirname(file), map);
  if (!isInline && (path.startsWith('../') || map.includes(':'))) return [];
  const json = isInline
    ? Buffer.from(map.replace(INLINE_MAP, ''), 'base64').toString('utf8')
    : mapAt(join(folder, path));
  const { sources, sourceRoot } = objectOf(parsedJson(json));
  const from = posix.join(posix.dirname(path), typeof sourceRoot === 'string' ? sourceRoot : '');
  return textsIn(sources).map((source) => posix.join(from, source));
}

/** Empty if there is none: packages are often published without. */
function mapAt(path: string): string {
  try {
    return readRegular(path, LARGEST_MAP).toString('utf8');
  } catch (error) {
    if (isMissing(error) || error instanceof FileFault) return '';
    throw error;
  }
}
