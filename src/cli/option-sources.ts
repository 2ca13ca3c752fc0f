import { dirname, resolve } from 'node:path';
import { configError, placeOf } from '../config/config-errors.js';
import type { ConfigFile } from '../config/config-file.js';
import type { Config, ConfiguredTarget } from '../config/config-schema.js';
import { withEnvironment } from '../config/environment.js';
import type { OptionSource } from '../config/config-file.js';
import { OPTION_DEFAULTS } from '../lint/lint-options.js';
import { OPTION_LIST, OPTIONS, type OptionName } from '../lint/options.js';
import type { OptionSpec, SourceFolder } from '../lint/option.js';
import { isQuantityUnit, quantity } from '../lint/quantity.js';
import { flagOf } from './command-option.js';
import type { Io } from './io.js';
import { parseFormat, type ReportOutput } from './report-outputs.js';
import type { RunOptions } from './run-options.js';

type Source = OptionSource<RunOptions>;

export const DEFAULTS: Source = { values: { ...OPTION_DEFAULTS, format: [], severity: [] }, originOf: () => 'default' };

export function flagSource(flags: Partial<RunOptions>): Source {
  return { values: flags, originOf: flagOf };
}

/** An empty variable sets nothing. */
export function environmentSource(env: Io['env']): Source {
  const values = OPTION_LIST.flatMap(([name, { variable }]) => {
    const value = variable === undefined ? undefined : env[variable];
    return value === undefined || value === '' ? [] : [[name, value]];
  });
  return { values: Object.fromEntries(values), originOf: (option) => specOf(option).variable ?? option };
}

/** The options that a configuration sets, or one of its targets at `path`. Names of files are relative to it. */
export function configSource(
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
