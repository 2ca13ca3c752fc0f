import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lilconfig, type Loader } from 'lilconfig';
import { assertBounded } from '../bounded-file.js';
import { FileFault, fileFault } from '../file-fault.js';
import { LintError } from '../lint-error.js';
import { loadingFault } from './config-errors.js';
import { PACKAGE_KEY, type ConfigFile, type Loaded } from './config-file.js';

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

/**
 * Reads the configuration: the file that the user named, or the first one from `cwd` upwards. Null if there is none.
 *
 * @throws LintError if the file cannot be read or parsed
 */
export async function findConfig(
  cwd: string,
  file?: string,
  beforeForeignCode?: () => Promise<unknown>,
): Promise<ConfigFile | null> {
  const nameOf = (path: string) => relative(cwd, path) || path;
  const text: Loader = async (path, content) => {
    if (basename(path) === 'package.json' && hasNoKey(content)) return { [PACKAGE_KEY]: null };
    // Without the parser a run without such a file starts faster.
    const { parseConfigText } = await import('./config-text.js');
    return parseConfigText(nameOf(path), content);
  };
  const module: Loader = async (path) => {
    await beforeForeignCode?.();
    return loadModule(nameOf(path), path);
  };
  const config = lilconfig('mongolint', {
    searchPlaces: CONFIG_FILES,
    packageProp: PACKAGE_KEY,
    ignoreEmptySearchPlaces: false,
    loaders: { '.yaml': text, '.yml': text, '.json': text, '.js': module, '.mjs': module, '.cjs': module },
  });
  if (file === undefined) await assertReadable(cwd, nameOf);
  const found = file === undefined ? await config.search(cwd) : await loadNamed(config, cwd, file);
  if (found === null) return null;
  // An empty file sets nothing.
  const loaded: Loaded = found.isEmpty === true ? { value: {}, lineOf: () => null } : found.config;
  return { ...loaded, path: found.filepath, name: nameOf(found.filepath) };
}

/** What the search would wait for without end, or read for long: a pipe, or a file that is no configuration. */
async function assertReadable(folder: string, nameOf: (path: string) => string): Promise<void> {
  for (const path of CONFIG_FILES.map((name) => join(folder, name))) {
    // A file that does not exist, or can't be read, is left to the search.
    await assertBounded(path, MOST_BYTES).catch((error: unknown) => {
      if (error instanceof FileFault)
        throw new LintError(`The configuration ${nameOf(path)} can't be read: ${error.message}.`, { cause: error });
    });
  }
  if (dirname(folder) !== folder) await assertReadable(dirname(folder), nameOf);
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

async function loadNamed(
  config: ReturnType<typeof lilconfig>,
  cwd: string,
  file: string,
): ReturnType<typeof config.load> {
  if (!['.yaml', '.yml', '.json', '.js', '.mjs', '.cjs'].includes(extname(file))) {
    throw new LintError(
      `mongolint can't read ${file} as a configuration: its name must end in .yaml, .yml, .json, .js or .mjs.`,
    );
  }
  try {
    await assertBounded(resolve(cwd, file), MOST_BYTES);
    const found = await config.load(resolve(cwd, file));
    if (found?.config === null) throw new LintError(`${file} has no key "${PACKAGE_KEY}".`);
    return found;
  } catch (error) {
    if (error instanceof LintError) throw error;
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : fileFault(error);
    throw new LintError(`The configuration ${file} can't be read: ${why}.`, { cause: error });
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
