import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, runInThisContext } from 'node:vm';
import { z } from 'zod';
import type { AnyCheck } from '../../check.js';
import { CLUSTER_EVIDENCE_NAMES, EVIDENCE_NAMES } from '../../evidence/sources.js';
import { assertBounded } from '../../files/bounded-file.js';
import { fileFault, isMissing } from '../../files/file-fault.js';
import { strangerAt } from '../../files/file-owner.js';
import type { Severity } from '../../finding.js';
import type { CheckSetting } from '../../findings/check-settings.js';
import { LintError } from '../../lint-error.js';
import type { ReportFormat } from '../../report/formats.js';
import { issuesOf } from '../../text/schema-issues.js';
import { loadingFault } from '../config-file.js';

/** A plugin: the default export of its module. It uses only what the package mongolint exports. */
export interface Plugin {
  readonly meta: {
    /** In kebab-case; its checks are known as `name/check-id`, its formats as `name/format-name`. */
    readonly name: string;
    readonly version: string;
  };
  /** Checks, with ids without the plugin's name. Each has the address of its page in `docs`. */
  readonly checks?: readonly AnyCheck[];
  /** Report formats, with names without the plugin's name. */
  readonly formats?: readonly ReportFormat[];
  /** Settings that users adopt with `extends: [name/config]`. Ids of checks are written in full. */
  readonly configs?: Readonly<Record<string, PluginConfig>>;
}

/** Settings of checks, by their full ids. */
export interface PluginConfig {
  readonly checks: Readonly<Record<string, Severity | 'off' | CheckSetting>>;
}

const KEBAB_CASE = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

const kebabCase = () => z.string().regex(KEBAB_CASE, { error: 'must be written in kebab-case' });

const text = () => z.string().min(1);

const method = z.custom<(...of: never[]) => unknown>((value) => typeof value === 'function', {
  error: 'must be a function',
});

const thresholdSchema = z.looseObject({
  default: z.number(),
  unit: text(),
  description: text(),
  source: text(),
});

const evidence = <Name extends string>(names: readonly Name[]) =>
  z.array(
    z.enum(names as [Name, ...Name[]], {
      error: `must be evidence that this version of mongolint collects: ${names.join(', ')}`,
    }),
  );

const commonKeys = {
  id: kebabCase(),
  title: text(),
  summary: text(),
  docs: z.url({ error: "must be the address of the check's page" }),
  needs: evidence(EVIDENCE_NAMES),
  thresholds: z.record(z.string(), thresholdSchema),
  judge: method,
};

const checkSchema = z.discriminatedUnion('scope', [
  z.looseObject({
    scope: z.literal('collection').optional(),
    appliesTo: z.array(z.enum(['collection', 'view', 'timeseries'])),
    uses: evidence(EVIDENCE_NAMES).optional(),
    ...commonKeys,
  }),
  z.looseObject({ scope: z.literal('cluster'), clusterNeeds: evidence(CLUSTER_EVIDENCE_NAMES), ...commonKeys }),
]);

const formatSchema = z.looseObject({
  name: kebabCase(),
  description: text(),
  extension: z.string().regex(/^\w[\w.]*$/, { error: 'must be an extension without its dot, such as "csv"' }),
  render: method,
  renderTargets: method.optional(),
});

/** A plugin's default export. The settings in its configs are validated with the configuration that extends them. */
const pluginSchema = z.looseObject({
  meta: z.looseObject({
    name: kebabCase().refine((name) => name !== 'house', { error: 'is taken: house rules have this name' }),
    version: text(),
  }),
  checks: z.array(checkSchema).optional(),
  formats: z.array(formatSchema).optional(),
  configs: z.record(kebabCase(), z.looseObject({ checks: z.record(z.string(), z.unknown()) })).optional(),
});

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
  if (!/^[./]/.test(module)) await refuseForeign(module, folder);
  const importer = join(folder, 'mongolint.js');
  try {
    return await importAs(importer, module);
  } catch (error) {
    if (isNotInstalled(error, module)) throw notFound(module, folder, error);
    throw new LintError(`The plugin "${module}" failed to load: ${loadingFault(error)}`, { cause: error });
  }
}

/** A package is looked for in each folder above, to which others may write. @throws LintError if somebody else put it there */
async function refuseForeign(module: string, folder: string): Promise<void> {
  const name = module.split('/', module.startsWith('@') ? 2 : 1).join('/');
  for (let place = folder; ; place = dirname(place)) {
    const path = join(place, 'node_modules', name, 'package.json');
    const stranger = await strangerAt(path).catch(ignoreMissing);
    if (stranger === null) return;
    if (stranger !== undefined)
      throw new LintError(
        `The plugin "${module}" was ignored: ${path} ${stranger}. If it is yours, name its file instead of the package.`,
      );
    if (dirname(place) === place) return;
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error) && (error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
}

/**
 * As Node, or the package manager that stands in for it, imports a module from a file, which need not exist. Only what is there
 * and can't be required is resolved by the loader itself: Node 20 prints a warning about that.
 */
async function importAs(importer: string, module: string): Promise<object> {
  let path: string;
  try {
    path = createRequire(importer).resolve(module);
  } catch (error) {
    if (isNotInstalled(error, module)) throw error;
    return importByLoader(importer, module);
  }
  return import(pathToFileURL(path).href);
}

function isNotInstalled(error: unknown, module: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'MODULE_NOT_FOUND' && message.startsWith(`Cannot find module '${module}'`);
}

function importByLoader(importer: string, module: string): Promise<object> {
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
