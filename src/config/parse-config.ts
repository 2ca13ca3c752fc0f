import { dirname } from 'node:path';
import { z } from 'zod';
import type { AnyCheck } from '../check.js';
import type { CheckSetting, CheckSettings } from '../findings/check-settings.js';
import type { OwnerRule } from '../policy/ownership.js';
import type { Suppression } from '../policy/suppression.js';
import { globMatcher } from '../text/glob.js';
import { issuesOf, type SchemaIssue } from '../text/schema-issues.js';
import { didYouMean } from '../text/spelling.js';
import { configError, type ConfigFile, placeOf } from './config-file.js';
import { checksSchema, configSchema, type Config } from './config-schema.js';
import { optionShape } from './option-schema.js';
import type { LoadedPlugin, PluginReference } from './plugins/load-plugins.js';

export interface ParsedConfig {
  readonly values: Config;
  /** The file's own settings over those that it extends, check by check. */
  readonly settings: CheckSettings;
  readonly suppressions: readonly Suppression[];
  readonly owners: readonly OwnerRule[];
}

/** What a file may extend: configs of plugins, and files by the names under which they are extended. */
interface Extended {
  readonly plugins: readonly LoadedPlugin[];
  readonly configs: ReadonlyMap<string, ConfigFile>;
}

/** The plugins that a file names. They are read before the rest, since validation has to know their checks. */
export function configuredPlugins(file: ConfigFile): PluginReference[] {
  const parsed = z.object({ plugins: optionShape('run').plugins.default([]) }).safeParse(file.value);
  if (!parsed.success) throw configError(file, issuesOf(parsed.error));
  return parsed.data.plugins.map((module) => ({ module, folder: dirname(file.path) }));
}

/** Validates a file, given the checks that exist. Throws a LintError with file, line and key of each error. */
export function parseConfig(file: ConfigFile, extended: Extended, checks: readonly AnyCheck[]): ParsedConfig {
  const parsed = configSchema(checks).safeParse(file.value);
  if (!parsed.success) throw configError(file, issuesOf(parsed.error));
  const config = parsed.data;
  const issues = [...conflictingKeys(config), ...unknownChecks(config, checks), ...unknownOwners(config)];
  if (issues.length > 0) throw configError(file, issues);
  return {
    values: config,
    settings: { ...extendedSettings(config, file, extended, checks), ...settingsOf(config.checks ?? {}) },
    suppressions: suppressionsOf(config, file),
    owners: config.owners ?? [],
  };
}

function conflictingKeys({ uri, targets = [] }: Config): SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  if (uri !== undefined && targets.length > 0)
    issues.push({ path: ['targets'], message: 'give either uri or targets' });
  for (const [index, { alias }] of targets.entries()) {
    if (targets.findIndex((other) => other.alias === alias) === index) continue;
    issues.push({ path: ['targets', index, 'alias'], message: 'another target has this alias' });
  }
  for (const [index, { alias, sibling }] of targets.entries()) {
    const others = targets.map((other) => other.alias).filter((other) => other !== alias);
    if (sibling !== undefined && !others.includes(sibling))
      issues.push({
        path: ['targets', index, 'sibling'],
        message: `must be the alias of another target${didYouMean(sibling, others)}`,
      });
  }
  return issues;
}

function unknownChecks({ suppressions = [] }: Config, checks: readonly AnyCheck[]): SchemaIssue[] {
  const ids = checks.map(({ id }) => id);
  return suppressions.flatMap(({ check }, index) => {
    if (ids.some(globMatcher([check]))) return [];
    return [{ path: ['suppressions', index, 'check'], message: `no check has this id${didYouMean(check, ids)}` }];
  });
}

function unknownOwners({ channels = [], owners = [] }: Config): SchemaIssue[] {
  const known = [...new Set(owners.flatMap(({ owner }) => owner ?? []))];
  return channels.flatMap(({ owner }, index) => {
    if (known.includes(owner)) return [];
    return [{ path: ['channels', index, 'owner'], message: `"owners" do not name it${didYouMean(owner, known)}` }];
  });
}

/** The settings that the file extends: a later one wins over an earlier one. */
function extendedSettings(
  { extends: names = [] }: Config,
  file: ConfigFile,
  { plugins, configs: files }: Extended,
  checks: readonly AnyCheck[],
): CheckSettings {
  const configs = new Map<string, { readonly checks: unknown }>();
  for (const [name, { value }] of files) configs.set(name, { checks: (value as { checks?: unknown }).checks ?? {} });
  for (const { meta, configs: own } of plugins) {
    for (const [name, config] of Object.entries(own)) configs.set(`${meta.name}/${name}`, config);
  }
  const settings: Record<string, CheckSetting> = {};
  for (const [index, name] of names.entries()) {
    const path = ['extends', index];
    const config = configs.get(name);
    if (config === undefined) {
      const hint = didYouMean(name, [...configs.keys()]);
      throw configError(file, [
        { path, message: `there is no such file or package, and no plugin has this config${hint}` },
      ]);
    }
    const parsed = checksSchema(checks).safeParse(config.checks);
    if (!parsed.success) {
      const issues = issuesOf(parsed.error).map((issue) => `${name}: ${issue.path.join('.')}: ${issue.message}`);
      throw configError(
        file,
        issues.map((message) => ({ path, message })),
      );
    }
    Object.assign(settings, settingsOf(parsed.data));
  }
  return settings;
}

type WrittenSettings = NonNullable<Config['checks']>;

/** `off` is short for `{ severity: off }`. */
function settingsOf(written: WrittenSettings): CheckSettings {
  const entries = Object.entries(written).filter(([, setting]) => setting !== undefined);
  const full = entries.map(([id, setting]) => [id, typeof setting === 'string' ? { severity: setting } : setting]);
  return Object.fromEntries(full) as Record<string, CheckSetting>;
}

function suppressionsOf({ suppressions = [] }: Config, file: ConfigFile): Suppression[] {
  return suppressions.map((suppression, index) => ({
    ...(suppression as Omit<Suppression, 'by'>),
    by: placeOf(file, ['suppressions', index]),
  }));
}
