import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { builtInChecks } from '../../checks/index.js';
import { flagOf } from '../../src/cli/command-option.js';
import { createProgram } from '../../src/cli/program.js';
import type { RunOptions } from '../../src/cli/run-options.js';
import { runSettings } from '../../src/cli/run-settings.js';
import { configSchema } from '../../src/config/config-schema.js';
import { LINT_DEFAULTS, takenByLint } from '../../src/lint/lint-options.js';
import type { OptionSpec } from '../../src/lint/option.js';
import { OPTION_LIST, OPTIONS, type OptionName } from '../../src/lint/options.js';
import { folderWith } from '../support/config-folder.js';

const silent = { write: () => true };
const io = { stdout: silent, stderr: silent, env: {}, cwd: () => '.' };
const program = createProgram(io, () => {});
/** Keys of the configuration that are no options. */
const OTHER_KEYS = new Set([
  '$schema',
  'uri',
  'targets',
  'extends',
  'expect',
  'checks',
  'owners',
  'channels',
  'rules',
  'suppressions',
]);

const ofTargets = OPTION_LIST.filter(([, { inConfig }]) => inConfig === 'target');
const inFiles = OPTION_LIST.filter(([, { inConfig }]) => inConfig !== undefined);
// Those of the command line are added to those of the file: there is nothing to win.
const overridden = inFiles.filter(([, { type }]) => type !== 'module');

/** Any value of an option that is not its default, as it is written in the configuration. */
function written({ type, choices, choicesOfCommands = {}, isRepeatable, default: standard }: OptionSpec): unknown {
  const values = {
    switch: true,
    number: 7,
    choice: choices?.findLast((choice) => choice !== standard && choicesOfCommands[choice] === undefined),
    glob: 'a.*',
    url: 'https://a',
    format: 'json',
    check: 'unused-index',
    owner: 'team-shop',
    part: '2/8',
    time: '2h',
    severity: 'a',
    mapping: 'a=b',
  };
  const value = type === 'file' || type === 'module' || type === 'source' ? './a' : values[type];
  return isRepeatable === true ? [value] : value;
}

/** That value as it is read from a file in a folder. */
function asRead(spec: OptionSpec, folder: string): unknown {
  if (spec.type === 'format') return [{ format: 'json', file: null }];
  if (spec.type !== 'file' && spec.type !== 'source') return written(spec);
  return spec.isRepeatable === true ? [`${folder}/a`] : `${folder}/a`;
}

const keyOf = ([name, { configKey }]: readonly [OptionName, OptionSpec]) => configKey ?? name;
const accepts = (config: unknown) => configSchema(builtInChecks).safeParse(config).success;

async function settingsOf(name: OptionName, yaml: string, flags: Partial<RunOptions> = {}, env = {}) {
  const folder = await folderWith({ 'mongolint.config.yaml': yaml });
  const { targets, resolved } = await runSettings(undefined, flags, { ...io, env, cwd: () => folder });
  return { folder, value: targets[0]?.options[name], origin: resolved.origins.get(name) };
}

describe.each(OPTION_LIST)('the option %s', (name, spec) => {
  it('is an option of the command, with its default and its meaning', () => {
    const option = program.options.find((each) => each.attributeName() === name);
    expect(option?.long).toBe(flagOf(name));
    expect(option?.defaultValue).toEqual(spec.default);
    expect(option?.description).toContain(spec.meaning);
    expect(program.helpInformation().replace(/\s+/g, ' ')).toContain(option?.description);
  });

  it('says what it does in a part of a sentence', () => {
    expect(spec.meaning).toMatch(/^[a-z].*[^.]$/);
  });

  it('can be set in a configuration only as the table says', () => {
    const setting = { [keyOf([name, spec])]: written(spec) };
    expect(accepts(setting)).toBe(spec.inConfig !== undefined);
    expect(accepts({ targets: [{ alias: 'a', uri: 'b', ...setting }] })).toBe(spec.inConfig === 'target');
  });

  it('is taken by the library if it can differ by target', () => {
    const { libraryKey = name } = spec;
    expect(takenByLint({ [name]: written(spec) })).toEqual(
      spec.inConfig === 'target' ? { [libraryKey]: written(spec) } : {},
    );
    expect((LINT_DEFAULTS as Record<string, unknown>)[libraryKey]).toEqual(
      spec.inConfig === 'target' ? spec.default : undefined,
    );
  });
});

describe('an option in the configuration', () => {
  it.each(overridden)('wins over the default, and the flag over it: %s', async (name, spec) => {
    const yaml = `uri: mongodb://a\n${keyOf([name, spec])}: ${JSON.stringify(written(spec))}\n`;
    const { value, origin, folder } = await settingsOf(name, yaml);
    expect([value, origin]).toEqual([asRead(spec, folder), 'mongolint.config.yaml:2']);
    expect(value).not.toEqual(spec.default);
    const flag = spec.isRepeatable === true ? [] : 'a flag';
    expect(await settingsOf(name, yaml, { [name]: flag })).toMatchObject({ value: flag, origin: flagOf(name) });
  });

  it.each(ofTargets)('can differ by target: %s', async (name, spec) => {
    const yaml = `targets:\n  - alias: b\n    uri: mongodb://b\n    ${keyOf([name, spec])}: ${JSON.stringify(written(spec))}\n`;
    const { value, folder } = await settingsOf(name, yaml);
    expect(value).toEqual(asRead(spec, folder));
  });

  it.each(inFiles.filter(([, { variable }]) => variable !== undefined))(
    'gives way to its environment variable: %s',
    async (name, spec) => {
      const { variable = '' } = spec;
      const yaml = `uri: mongodb://a\n${keyOf([name, spec])}: ${JSON.stringify(written(spec))}\n`;
      const set = await settingsOf(name, yaml, {}, { [variable]: 'https://b' });
      expect(set).toMatchObject({ value: 'https://b', origin: variable });
      expect(await settingsOf(name, yaml, {}, { [variable]: '' })).toMatchObject({ value: written(spec) });
    },
  );
});

describe('the table', () => {
  it('has every option of the command, and every key of the configuration that is one', () => {
    const flags = program.options.map((option) => option.attributeName()).filter((name) => name !== 'version');
    expect([...new Set(flags)].toSorted()).toEqual(Object.keys(OPTIONS).toSorted());
    const keys = Object.keys(configSchema(builtInChecks).shape).filter((key) => !OTHER_KEYS.has(key));
    expect(keys.sort()).toEqual(inFiles.map(keyOf).sort());
  });

  it('makes a sentence of each in the schema of the configuration', () => {
    const { shape } = configSchema(builtInChecks) as { shape: Record<string, z.ZodType> };
    for (const option of inFiles) expect(shape[keyOf(option)]?.description).toMatch(/^[A-Z].*\.$/);
  });
});
