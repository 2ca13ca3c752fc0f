import { dirname, resolve } from 'node:path';
import { ConnectionString } from 'mongodb-connection-string-url';
import {
  configError,
  type ConfigFile,
  type OptionSource,
  placeOf,
  resolvedOptions,
  type ResolvedOptions,
  URI_VARIABLE,
  withEnvironment,
} from '../config/config-file.js';
import type { Config, ConfiguredTarget } from '../config/config-schema.js';
import { loadConfig, type LoadedConfig } from '../config/load-config.js';
import { retiredSettings } from '../findings/check-settings.js';
import { selectedSettings } from '../findings/evidence-plan.js';
import type { ExpectedSetting } from '../findings/expected-sizes.js';
import { globFault, isSystemDatabase } from '../inventory/namespace-glob.js';
import { LintError } from '../lint-error.js';
import { OPTION_DEFAULTS } from '../lint/lint-options.js';
import type { OptionSpec, SourceFolder } from '../lint/option.js';
import { OPTION_LIST, OPTIONS, type OptionName } from '../lint/options.js';
import { isQuantityUnit, quantity } from '../lint/quantity.js';
import type { RunPart } from '../report/run-part.js';
import { flagOf } from './command-option.js';
import { configSearch, type Io } from './io.js';
import { parseFormat, type ReportOutput } from './report-outputs.js';
import type { RunOptions } from './run-options.js';

type Source = OptionSource<RunOptions>;

export const DEFAULTS: Source = { values: { ...OPTION_DEFAULTS, format: [], severity: [] }, originOf: () => 'default' };

export interface RunTarget {
  /** Absent if the configuration lists no targets. */
  readonly alias?: string;
  readonly uri: string;
  /** Where the connection string comes from, for people. */
  readonly origin: string;
  readonly options: RunOptions;
  /** Sizes to judge at, those of the target last. */
  readonly expect: readonly ExpectedSetting[];
  /** True if flags select namespaces: others may be linted in other runs. */
  readonly isNarrowed: boolean;
  /** Alias of a target that should declare the same. */
  readonly sibling?: string;
  /** Which part of its collections to judge; absent for all. */
  readonly part?: RunPart;
}

export interface RunSettings {
  readonly config: LoadedConfig;
  readonly resolved: ResolvedOptions<RunOptions>;
  /** At least one, unless only the settings are printed. */
  readonly targets: readonly RunTarget[];
}

/** What a command needs that only draws reports. */
export type ReportSettings = Pick<RunSettings, 'config' | 'resolved'>;

const NO_URI = `mongolint needs a connection string. Set it in the environment, where other users cannot see it:
  MONGODB_URI='mongodb://user:password@host:27017/?authSource=admin' mongolint
or pass it as an argument: mongolint mongodb://localhost:27017. To see it at work first: mongolint demo`;

/** What the configuration, the environment and flags set, wherever the evidence comes from. */
export interface LoadedSettings extends ReportSettings {
  /** The options and expected sizes of one of the targets that the file lists. */
  ofTarget(index: number): Pick<RunTarget, 'options' | 'expect'>;
  readonly expect: readonly ExpectedSetting[];
  /** True if flags select namespaces. */
  readonly isNarrowed: boolean;
}

/**
 * A flag wins over the environment, which wins over the configuration file, which wins over the default.
 *
 * @throws LintError if something is wrong
 */
export async function loadedSettings(flags: Partial<RunOptions>, io: Io): Promise<LoadedSettings> {
  const loaded = await loadConfig({
    cwd: io.cwd(),
    plugins: flags.plugin ?? [],
    ...configSearch(io),
    ...(flags.config !== undefined && { file: flags.config }),
  });
  const { check = [], skipCheck = [], severity = [], group = null } = flags;
  const settings = selectedSettings(loaded.checks, loaded.settings, { check, skipCheck, severity, group });
  const { file, values } = loaded;
  const ofFile = file === null ? [] : [configSource(values, file, io.env)];
  const resolvedWith = (ofTarget: readonly OptionSource<RunOptions>[]) =>
    resolvedOptions([DEFAULTS, ...ofFile, ...ofTarget, environmentSource(io.env), flagSource(flags)]);
  const resolved = resolvedWith([]);
  if (!resolved.values.quiet)
    for (const line of retiredSettings(loaded.checks, loaded.settings)) io.stderr.write(`${line}\n`);
  return {
    config: { ...loaded, settings },
    resolved,
    ofTarget(index) {
      const target = values.targets?.[index];
      if (file === null || target === undefined) throw new Error(`The configuration has no target ${index}.`);
      const { values: options } = resolvedWith([configSource(target, file, io.env, ['targets', index])]);
      return { options, expect: [...expected(values.expect), ...expected(target.expect)] };
    },
    expect: expected(values.expect),
    isNarrowed: flags.include !== undefined || flags.exclude !== undefined,
  };
}

/**
 * The settings of a run on clusters. `MONGODB_URI` is `uri`, unless the file lists targets.
 *
 * @throws LintError if something is missing or wrong
 */
export async function runSettings(
  argument: string | undefined,
  flags: Partial<RunOptions>,
  io: Io,
): Promise<RunSettings> {
  const { config, resolved, ofTarget, expect, isNarrowed } = await loadedSettings(flags, io);
  const { file, values } = config;
  if (argument === undefined && file !== null && values.targets !== undefined) {
    const targets = values.targets.map((target, index): RunTarget => {
      const path = ['targets', index, 'uri'];
      const uri = withEnvironment(target.uri, file, path, io.env);
      const { alias, sibling } = target;
      const named = { alias, ...(sibling !== undefined && { sibling }) };
      return inItsDatabase({ ...named, uri, origin: placeOf(file, path), ...ofTarget(index), isNarrowed });
    });
    return { config, resolved, targets };
  }
  if (flags.printConfig === true && argument === undefined && !hasUri(config, io))
    return { config, resolved, targets: [] };
  const only = { ...onlyUri(argument, config, io), options: resolved.values, isNarrowed };
  return { config, resolved, targets: [inItsDatabase({ ...only, expect })] };
}

/** Narrowed to the database that the connection string names, unless `include` says what is wanted. */
function inItsDatabase(target: RunTarget): RunTarget {
  const database = target.options.include.length > 0 ? null : databaseOfUri(target.uri);
  if (database === null) return target;
  return { ...target, options: { ...target.options, include: [`${database}.*`] } };
}

/** Null if there is none, or if it only says where the user is known. What is no connection string is refused when it connects. */
function databaseOfUri(text: string): string | null {
  try {
    const { pathname, searchParams, username, isSRV } = new ConnectionString(text);
    const database = decodeURIComponent(pathname.slice(1));
    // DNS names the authSource of a cluster's users in an Atlas connection string.
    const isOfUser = username !== '' && !searchParams.has('authSource') && !isSRV;
    const isNone = database === '' || database.startsWith('$') || isSystemDatabase(database);
    return isNone || isOfUser || globFault(`${database}.*`) !== null ? null : database;
  } catch {
    return null;
  }
}

/** The target of a command that takes one. @throws LintError if there are several */
export function onlyTarget({ targets }: Pick<RunSettings, 'targets'>): RunTarget {
  const [target, ...others] = targets;
  if (target === undefined || others.length > 0)
    throw new LintError(
      'The configuration lists several targets: give the connection string of one as the last argument.',
    );
  return target;
}

function expected(written: Config['expect'] = []): readonly ExpectedSetting[] {
  return written as readonly ExpectedSetting[];
}

export function hasUri({ values }: LoadedConfig, { env }: Io): boolean {
  return (env[URI_VARIABLE] ?? '') !== '' || values.uri !== undefined;
}

function onlyUri(
  argument: string | undefined,
  { file, values }: LoadedConfig,
  { env }: Io,
): { uri: string; origin: string } {
  if (argument !== undefined) return { uri: argument, origin: 'the argument' };
  const variable = env[URI_VARIABLE];
  if (variable !== undefined && variable !== '') return { uri: variable, origin: URI_VARIABLE };
  if (file !== null && values.uri !== undefined) {
    return { uri: withEnvironment(values.uri, file, ['uri'], env), origin: placeOf(file, ['uri']) };
  }
  throw new LintError(NO_URI);
}

function flagSource(flags: Partial<RunOptions>): Source {
  return { values: flags, originOf: flagOf };
}

/** An empty variable sets nothing. */
function environmentSource(env: Io['env']): Source {
  const values = OPTION_LIST.flatMap(([name, { variable }]) => {
    const value = variable === undefined ? undefined : env[variable];
    return value === undefined || value === '' ? [] : [[name, value]];
  });
  return { values: Object.fromEntries(values), originOf: (option) => specOf(option).variable ?? option };
}

/** The options that a configuration sets, or one of its targets at `path`. Names of files are relative to it. */
function configSource(
  values: Config | ConfiguredTarget,
  file: ConfigFile,
  env: Io['env'],
  path: readonly PropertyKey[] = [],
): Source {
  const entries = OPTION_LIST.flatMap(([name, spec]) => {
    const value = (values as Readonly<Record<string, unknown>>)[keyOf(name)];
    // Plugins are loaded with the configuration. Flags add to them.
    if (value === undefined || spec.type === 'module') return [];
    return [[name, optionValue(spec, value, file, [...path, keyOf(name)], env)]];
  });
  return {
    values: Object.fromEntries(entries),
    originOf: (option) => placeOf(file, [...path, keyOf(option)]),
  };
}

function specOf(option: OptionName): OptionSpec {
  return OPTIONS[option];
}

function keyOf(option: OptionName): string {
  return specOf(option).configKey ?? option;
}

function optionValue(
  { type, unit }: OptionSpec,
  value: unknown,
  file: ConfigFile,
  path: readonly PropertyKey[],
  env: Io['env'],
): unknown {
  // The schema has let only texts pass that are quantities.
  if (isQuantityUnit(unit) && typeof value === 'string') return quantity(value, unit);
  if (type === 'url') return withEnvironment(value as string, file, path, env);
  if (type === 'format') return outputsOf(value as readonly string[], file, path);
  if (type === 'source')
    return (value as readonly (string | SourceFolder)[]).map((folder) =>
      typeof folder === 'string' ? beside(file, folder) : { ...folder, dir: beside(file, folder.dir) },
    );
  if (type !== 'file') return value;
  return Array.isArray(value) ? value.map((name: string) => beside(file, name)) : beside(file, value as string);
}

function outputsOf(formats: readonly string[], file: ConfigFile, path: readonly PropertyKey[]): ReportOutput[] {
  let outputs: ReportOutput[] = [];
  for (const [index, format] of formats.entries()) {
    try {
      outputs = parseFormat(format, outputs);
    } catch (error) {
      throw configError(file, [{ path: [...path, index], message: (error as Error).message }]);
    }
  }
  return outputs.map(({ format, file: name }) => ({ format, file: name === null ? null : beside(file, name) }));
}

function beside(file: ConfigFile, name: string): string {
  return resolve(dirname(file.path), name);
}
