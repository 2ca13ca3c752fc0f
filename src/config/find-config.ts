import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assertBounded, readBounded } from '../files/bounded-file.js';
import { FileFault, fileFault, isMissing } from '../files/file-fault.js';
import { strangerAt } from '../files/file-owner.js';
import { LintError } from '../lint-error.js';
import { type ConfigFile, type Loaded, loadingFault, PACKAGE_KEY } from './config-file.js';

const MOST_BYTES = 10 * 1024 * 1024;

/** Looked for in each folder from the working directory upwards. */
export const CONFIG_FILES = [
  'mongolint.config.yaml',
  'mongolint.config.yml',
  'mongolint.config.json',
  'mongolint.config.js',
  'mongolint.config.mjs',
  'package.json',
];

/** What happens while a configuration is looked for. */
export interface ConfigSearch {
  /** Is waited for before a configuration in JavaScript, or a plugin, is run. */
  readonly beforeForeignCode?: (() => Promise<unknown>) | undefined;
  /** Is given a line for each file that was ignored. */
  readonly say?: ((line: string) => void) | undefined;
}

export interface ConfigSource extends ConfigSearch {
  /** The search starts here and goes upwards. */
  readonly cwd: string;
  /** A file named by the user: there is no search. False: no file is read. */
  readonly file?: string | false;
  /** Plugins beyond those of the file, resolved from `cwd`. */
  readonly plugins: readonly string[];
}

export async function foundConfig(source: ConfigSource): Promise<ConfigFile | null> {
  return source.file === false ? null : findConfig(source.cwd, source.file, source);
}

/**
 * Reads the configuration: the file that the user named, or the first one from `cwd` upwards that nobody else can have put
 * there. Null if there is none.
 *
 * @throws LintError if the file cannot be read or parsed
 */
export async function findConfig(cwd: string, file?: string, search: ConfigSearch = {}): Promise<ConfigFile | null> {
  const nameOf = (path: string) => relative(cwd, path) || path;
  const path = file === undefined ? await searched(cwd, nameOf, search) : await named(cwd, file);
  if (path === null) return null;
  const name = nameOf(path);
  if (/\.[cm]?js$/.test(path)) {
    await search.beforeForeignCode?.();
    return { ...(await loadModule(name, path)), path, name };
  }
  // Without the parser a run without such a file starts faster.
  const { parseConfigText } = await import('./config-text.js');
  const loaded = parseConfigText(name, await readBounded(path, MOST_BYTES).catch(unreadable(name)));
  if (loaded === null) throw new LintError(`${name} has no key "${PACKAGE_KEY}".`);
  return { ...loaded, path, name };
}

async function searched(
  folder: string,
  nameOf: (path: string) => string,
  search: ConfigSearch,
): Promise<string | null> {
  for (const path of CONFIG_FILES.map((name) => join(folder, name))) {
    if (!(await isConfig(path, nameOf))) continue;
    const stranger = await strangerAt(path);
    if (stranger === null) return path;
    search.say?.(`${nameOf(path)} was ignored: it ${stranger}. If it is yours, name it with --config.`);
  }
  const above = dirname(folder);
  return folder === homedir() || above === folder ? null : searched(above, nameOf, search);
}

/** @throws LintError for a pipe, or a file that is no configuration: to read them would take long */
async function isConfig(path: string, nameOf: (path: string) => string): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    await assertBounded(path, MOST_BYTES);
    return basename(path) !== 'package.json' || !hasNoKey(await readBounded(path, MOST_BYTES));
  } catch (error) {
    if (error instanceof FileFault) return unreadable(nameOf(path))(error);
    return false;
  }
}

async function named(cwd: string, file: string): Promise<string> {
  if (!['.yaml', '.yml', '.json', '.js', '.mjs', '.cjs'].includes(extname(file))) {
    throw new LintError(
      `mongolint can't read ${file} as a configuration: its name must end in .yaml, .yml, .json, .js or .mjs.`,
    );
  }
  const path = resolve(cwd, file);
  await assertBounded(path, MOST_BYTES).catch(unreadable(file));
  return path;
}

function unreadable(name: string): (error: unknown) => never {
  return (error) => {
    const why = isMissing(error) ? 'there is no such file' : fileFault(error);
    throw new LintError(`The configuration ${name} can't be read: ${why}.`, { cause: error });
  };
}

/** A package.json without our key need not even be well-formed. */
function hasNoKey(packageJson: string): boolean {
  if (!packageJson.includes(`"${PACKAGE_KEY}"`)) return true;
  try {
    return !Object.hasOwn(Object(JSON.parse(packageJson)), PACKAGE_KEY);
  } catch {
    return false;
  }
}

async function loadModule(name: string, path: string): Promise<Loaded> {
  try {
    const { default: value } = await import(pathToFileURL(path).href);
    if (value === undefined) throw new LintError(`${name} has no default export; write "export default { … }".`);
    return { value, lineOf: () => null };
  } catch (error) {
    if (error instanceof LintError) throw error;
    throw new LintError(`${name} failed to load: ${loadingFault(error)}`, { cause: error });
  }
}
