import { join, resolve } from 'node:path';
import { constants, runInThisContext } from 'node:vm';
import type { AnyCheck } from '../../check.js';
import { issuesOf } from '../config-errors.js';
import { assertBounded } from '../../bounded-file.js';
import { fileFault } from '../../file-fault.js';
import { loadingFault } from '../loading-fault.js';
import { LintError } from '../../lint-error.js';
import type { ReportFormat } from '../../report/formats.js';
import type { Plugin } from './plugin.js';
import { pluginSchema } from './plugin-schema.js';

export interface PluginReference {
  /** A package, or a file that begins with "./", "../" or "/". */
  readonly module: string;
  /** It is resolved from here. */
  readonly folder: string;
}

/** A plugin whose checks and formats have their full names, `plugin/check` and `plugin/format`. */
export type LoadedPlugin = Required<Plugin>;

const MOST_BYTES = 50 * 1024 * 1024;

/** Loads each plugin once. Throws a LintError of one line if one is not found, fails to load, or is not valid. */
export async function loadPlugins(references: readonly PluginReference[]): Promise<LoadedPlugin[]> {
  const modules = new Map<object, string>();
  for (const reference of references) {
    const imported = await importedFrom(reference);
    if (!modules.has(imported)) modules.set(imported, reference.module);
  }
  const plugins: LoadedPlugin[] = [];
  for (const [{ default: exported }, module] of modules as Map<{ default?: unknown }, string>) {
    const plugin = validated(exported, module);
    if (plugins.some(({ meta }) => meta.name === plugin.meta.name)) {
      throw new LintError(`Two plugins are named "${plugin.meta.name}": remove one of them.`);
    }
    plugins.push(plugin);
  }
  return plugins;
}

function notFound(module: string, folder: string, cause?: unknown): LintError {
  const advice = /^[./]/.test(module)
    ? 'there is no such file'
    : `install it there, or, if it is a file, write it as "./${module}"`;
  return new LintError(`The plugin "${module}" was not found from ${folder}: ${advice}.`, { cause });
}

async function importedFrom({ module, folder }: PluginReference): Promise<object> {
  if (/^[./]/.test(module)) {
    await assertBounded(resolve(folder, module), MOST_BYTES).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notFound(module, folder, error);
      throw new LintError(`The plugin "${module}" can't be read: ${fileFault(error)}.`, { cause: error });
    });
  }
  const importer = join(folder, 'mongolint.js');
  try {
    return await importAs(importer, module);
  } catch (error) {
    const isNotInstalled =
      (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
      (error as Error).message.endsWith(` imported from ${importer}`);
    if (isNotInstalled) throw notFound(module, folder, error);
    throw new LintError(`The plugin "${module}" failed to load: ${loadingFault(error)}`, { cause: error });
  }
}

/** As Node, or the package manager that stands in for it, imports a module from a file, which need not exist. */
function importAs(importer: string, module: string): Promise<object> {
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  return runInThisContext('(module) => import(module)', { filename: importer, importModuleDynamically })(module);
}

function validated(exported: unknown, module: string): LoadedPlugin {
  const { success, error } = pluginSchema.safeParse(exported);
  if (!success) {
    const [{ path, message }] = issuesOf(error) as [{ path: PropertyKey[]; message: string }];
    const where = path.length === 0 ? 'its default export' : path.join('.');
    throw new LintError(
      `The plugin "${module}" is not compatible with this version of mongolint: ${where}: ${message}.`,
    );
  }
  const { meta, checks = [], formats = [], configs = {} } = exported as Plugin;
  return {
    meta,
    checks: checks.map((check) => named(check, meta.name)),
    formats: formats.map((format) => namedFormat(format, meta.name)),
    configs,
  };
}

function named(check: AnyCheck, plugin: string): AnyCheck {
  // The plugin's own object may rely on `this`.
  const judge = (...of: Parameters<AnyCheck['judge']>) => (check.judge as (...args: unknown[]) => unknown)(...of);
  return { ...check, id: `${plugin}/${check.id}`, judge } as AnyCheck;
}

/** A format gets a copy, since other formats render the same report. */
function namedFormat(format: ReportFormat, plugin: string): ReportFormat {
  const { name, description, extension } = format;
  return {
    name: `${plugin}/${name}`,
    description,
    extension,
    render: (report, options) => format.render(structuredClone(report), options),
    ...(format.renderTargets !== undefined && {
      renderTargets: (targets, options) => format.renderTargets?.(structuredClone(targets), options) ?? '',
    }),
  };
}
