import picomatch from 'picomatch';

// Namespaces are not paths: "/" and a leading "." are ordinary characters in them.
const GLOB_OPTIONS = { dot: true, bash: true, flags: 's' } as const;
/** Characters that no database's name holds. Source: MongoDB manual, "MongoDB Limits and Thresholds": naming restrictions. */
const NOT_IN_DATABASE_NAMES = /[/ "$]/;

/** Tells whether any of these globs matches a text. */
export function globMatcher(globs: readonly string[]): (text: string) => boolean {
  const matches = picomatch([...globs], GLOB_OPTIONS);
  return (text) => matches(text);
}

/** True where a glob may match several texts; false where it is a plain name. */
export function isPattern(glob: string): boolean {
  return picomatch.scan(glob).isGlob;
}

/** The glob over databases' names that a glob over `database.collection` begins with. */
export function databaseGlob(glob: string): string {
  // A database's name holds no dot, so what stands before the first is about the database, unless it is within brackets.
  const database = glob.includes('.') ? glob.slice(0, glob.indexOf('.')) : glob;
  return glob.startsWith('!') || syntaxFault(database) !== null ? '*' : database;
}

/** The glob over `database.collection` that is meant: without a dot, such as `shop`, it names a whole database. */
export function collectionGlob(glob: string): string {
  return glob.includes('.') || glob === '*' || glob === '**' ? glob : `${glob}.*`;
}

/**
 * What is wrong with a glob over `database.collection` that can't match as it is meant, as half a sentence whose subject is
 * the glob; null where nothing is.
 */
export function globFault(glob: string): string | null {
  if (glob === '') return 'is empty';
  if (glob.startsWith('.')) return 'names no database before its "."';
  const database = databaseGlob(glob);
  if (glob === `${database}.`) return 'names no collection after its "."';
  const foreign = NOT_IN_DATABASE_NAMES.exec(database)?.[0];
  if (foreign !== undefined)
    return `has a "${foreign}" where the database stands, whose name can't hold one: globs match "database.collection"`;
  return syntaxFault(collectionGlob(glob));
}

function syntaxFault(glob: string): string | null {
  try {
    picomatch.makeRe(glob, { ...GLOB_OPTIONS, strictBrackets: true, debug: true });
    return null;
  } catch (error) {
    const bracket = /^Missing (?:closing|opening): "(.)"/.exec((error as Error).message)?.[1];
    if (bracket !== undefined)
      return `lacks a "${bracket}"; a bracket that stands for itself is written with a "\\" before it`;
    return 'is not well-formed: ranges in brackets run upwards, as in "[a-z]", and no "\\" stands at its end';
  }
}
