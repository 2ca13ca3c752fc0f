import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { AnyCheck } from '../../check.js';
import { configError, issuesOf } from '../config-errors.js';
import type { ConfigFile } from '../config-file.js';
import { findConfig } from '../find-config.js';
import { known } from '../known-keys.js';
import type { LoadedPlugin } from '../plugins/load-plugins.js';
import { rulesSchema, type HouseRule } from './house-rule.js';
import { checkOfRule } from './rule-check.js';

/** What a file of the configuration extends beside the configs of plugins, and the rules of both. */
export interface SharedRules {
  /** Settings of checks, not validated yet, by the name under which they are extended. */
  readonly configs: ReadonlyMap<string, ConfigFile>;
  readonly checks: readonly AnyCheck[];
}

const sharedSchema = known({
  $schema: z.string().optional(),
  rules: rulesSchema().optional(),
  checks: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Reads the files and packages that a configuration extends, and makes checks of all rules. Of two with one id the later wins,
 * and the configuration's own over both.
 *
 * @throws LintError with file, line and key of each error
 */
export async function sharedRules(file: ConfigFile, plugins: readonly LoadedPlugin[]): Promise<SharedRules> {
  const own = z.object({ extends: z.array(z.string()).default([]), rules: rulesSchema().default([]) });
  const parsed = own.safeParse(file.value);
  if (!parsed.success) throw configError(file, issuesOf(parsed.error));
  const ofPlugins = new Set(
    plugins.flatMap(({ meta, configs }) => Object.keys(configs).map((name) => `${meta.name}/${name}`)),
  );
  const configs = new Map<string, ConfigFile>();
  const rules = new Map<string, HouseRule>();
  for (const name of parsed.data.extends.filter((each) => !ofPlugins.has(each))) {
    const path = pathOf(name, dirname(file.path));
    if (path === null) continue;
    const shared = (await findConfig(dirname(file.path), path)) as ConfigFile;
    const content = sharedSchema.safeParse(shared.value);
    if (!content.success) throw configError(shared, issuesOf(content.error));
    configs.set(name, shared);
    for (const rule of content.data.rules ?? []) rules.set(rule.id, rule);
  }
  const twice = parsed.data.rules.findIndex(({ id }, index, all) => all.some((one, at) => at < index && one.id === id));
  if (twice !== -1) throw configError(file, [{ path: ['rules', twice, 'id'], message: 'another rule has this id' }]);
  for (const rule of parsed.data.rules) rules.set(rule.id, rule);
  return { configs, checks: [...rules.values()].map(checkOfRule) };
}

/** Null if it is neither a file nor an installed package: a config of a plugin that is not there. */
function pathOf(name: string, folder: string): string | null {
  if (/^\.{0,2}\//.test(name)) return resolve(folder, name);
  try {
    return createRequire(join(folder, 'mongolint.js')).resolve(name);
  } catch {
    return null;
  }
}
