import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../../src/cli/run-options.js';
import { runSettings, type RunSettings } from '../../src/cli/run-settings.js';
import { settingsText, passwordWarnings } from '../../src/cli/settings-text.js';
import { resolvedOptions } from '../../src/config/config-file.js';
import { folderWith } from '../support/config-folder.js';

async function settingsFor(
  yaml: string | null,
  {
    argument,
    flags = {},
    env = {},
  }: { argument?: string; flags?: Partial<RunOptions>; env?: Record<string, string> } = {},
): Promise<RunSettings> {
  const cwd = await folderWith(yaml === null ? {} : { 'mongolint.config.yaml': yaml });
  const silent = { write: () => true };
  return runSettings(argument, flags, { stdout: silent, stderr: silent, env, cwd: () => cwd });
}

describe('the database of a connection string', () => {
  it.each<[string, string, string[]]>([
    ['narrows the run to it', 'mongodb://db1/shop', ['shop.*']],
    ['narrows it beside an authSource', 'mongodb://ada:x@db1/shop?authSource=admin', ['shop.*']],
    ['narrows it on Atlas', 'mongodb+srv://ada:x@cluster0.example.com/shop', ['shop.*']],
    ['only says where the user is known', 'mongodb://ada:x@db1/shop', []],
    ['may be one of the server itself', 'mongodb+srv://ada:x@db.example.com/admin', []],
    ['may be absent', 'mongodb://db1/', []],
    ['may be no name', 'mongodb://db1/%E0%A4%A', []],
  ])('%s', async (_, uri, expected) => {
    const { targets } = await settingsFor(null, { argument: uri });
    expect(targets.map(({ options }) => options.include)).toEqual([expected]);
  });

  it('gives way to what is included', async () => {
    const { targets } = await settingsFor(null, { argument: 'mongodb://db1/shop', flags: { include: ['blog.*'] } });
    expect(targets[0]?.options.include).toEqual(['blog.*']);
  });
});

describe('a threshold that a check no longer has', () => {
  const plugin = `export default { meta: { name: 'house-of', version: '1.0.0' }, checks: [{
    id: 'age', title: 'Age', summary: 'age', docs: 'https://a.example/age', needs: [], appliesTo: ['collection'],
    thresholds: { years: { default: 1, unit: 'days', description: 'age', source: 'a test' } },
    retiredThresholds: ['days'], judge: () => [] }] };`;
  const said = async (where: string, flags: Partial<RunOptions> = {}) => {
    const yaml = `uri: mongodb://file\nplugins: [./plugin.mjs]\nchecks:\n  house-of/age: ${where}\n`;
    const cwd = await folderWith({ 'mongolint.config.yaml': yaml, 'plugin.mjs': plugin });
    const lines: string[] = [];
    const stderr = { write: (line: string) => lines.push(line) };
    await runSettings(undefined, flags, { stdout: { write: () => true }, stderr, env: {}, cwd: () => cwd });
    return lines.join('');
  };
  const notice = 'checks.house-of/age.days is no longer a setting and is ignored: what can be set is years.\n';

  it.each([
    ['in general', '{ thresholds: { days: 3, years: 2 } }', notice],
    ['for a namespace', "{ namespaces: [{ glob: 'a.*', thresholds: { days: 3 } }] }", notice],
    ['in both, once', "{ thresholds: { days: 1 }, namespaces: [{ glob: 'a.*', thresholds: { days: 3 } }] }", notice],
    ['nowhere', '{ thresholds: { years: 3 } }', ''],
  ])('is accepted and named: %s', async (_, where, expected) => {
    expect(await said(where)).toBe(expected);
    expect(await said(where, { quiet: true })).toBe('');
  });
});

const urisOf = ({ targets }: RunSettings) => targets.map(({ uri, origin }) => `${uri} from ${origin}`);

const source = (name: string, values: Record<string, unknown>) => ({
  values,
  originOf: (option: string) => `${name} ${option}`,
});

describe('resolvedOptions', () => {
  it('takes the last source that sets an option', () => {
    const { values, origins } = resolvedOptions<Record<string, unknown>>([
      source('a', { x: 1, y: 1, z: false }),
      source('b', { y: 2, x: undefined }),
      source('c', { z: null }),
    ]);
    expect(values).toEqual({ x: 1, y: 2, z: null });
    expect(Object.fromEntries(origins)).toEqual({ x: 'a x', y: 'b y', z: 'c z' });
  });
});

describe('where options come from', () => {
  const yaml = 'uri: mongodb://file\nfailOn: warning\nsampleSize: 50\ninclude: [shop]\n';

  it('is the flag, then the file, then the default', async () => {
    const { resolved } = await settingsFor(yaml, { flags: { sampleSize: 7, include: ['crm'] } });
    expect(resolved.values).toMatchObject({ failOn: 'warning', sampleSize: 7, include: ['crm'], timeout: 15_000 });
    expect(Object.fromEntries(resolved.origins)).toMatchObject({
      failOn: 'mongolint.config.yaml:2',
      sampleSize: '--sample-size',
      include: '--include',
      timeout: 'default',
    });
  });

  it.each([
    [
      'the argument',
      { argument: 'mongodb://argument', env: { MONGODB_URI: 'mongodb://env' } },
      'mongodb://argument from the argument',
    ],
    ['the environment', { env: { MONGODB_URI: 'mongodb://env' } }, 'mongodb://env from MONGODB_URI'],
    ['the file', { env: { MONGODB_URI: '' } }, 'mongodb://file from mongolint.config.yaml:1'],
  ])('is for the connection string %s', async (_, given, expected) => {
    expect(urisOf(await settingsFor(yaml, given))).toEqual([expected]);
  });

  it.each([
    ['the flag', { flags: { notify: 'https://flag' }, env: { MONGOLINT_NOTIFY: 'https://env' } }, 'https://flag'],
    ['the environment', { env: { MONGOLINT_NOTIFY: 'https://env' } }, 'https://env'],
    ['the file, with the environment in it', { env: { HOOK: 'hook' } }, 'https://hook'],
  ])('is for the webhook %s', async (_, given, expected) => {
    const { resolved } = await settingsFor(`${yaml}notify: https://\${HOOK}\n`, {
      ...given,
      env: { HOOK: 'hook', ...given.env },
    });
    expect(resolved.values.notify).toBe(expected);
  });

  it('takes paths in the file relative to it', async () => {
    const { resolved, config } = await settingsFor(
      `${yaml}baseline: known.jsonl\nformats: [table, json=out/report.json]\nhistory: past/history.jsonl\nlog: [mongod.log]\n`,
    );
    const folder = config.file?.path.replace(/[^/]*$/, '');
    expect(resolved.values.baseline).toBe(`${folder}known.jsonl`);
    expect(resolved.values.history).toBe(`${folder}past/history.jsonl`);
    expect(resolved.values.log).toEqual([`${folder}mongod.log`]);
    expect(resolved.values.format).toEqual([
      { format: 'table', file: null },
      { format: 'json', file: `${folder}out/report.json` },
    ]);
  });
});

describe('targets', () => {
  const yaml = `sampleSize: 50
timeout: 900
targets:
  - alias: staging
    uri: \${STAGING_URI}
  - alias: production
    uri: mongodb://\${USER}:\${PASSWORD}@production
    sampleSize: 9
    exclude: [archive]
`;
  const env = { STAGING_URI: 'mongodb://staging', USER: 'lint', PASSWORD: 's3cret' };

  it('have options of their own, over those of the file and under the flags', async () => {
    const { targets } = await settingsFor(yaml, { env, flags: { timeout: 100 } });
    expect(
      targets.map(({ alias, uri, options }) => [alias, uri, options.sampleSize, options.timeout, options.exclude]),
    ).toEqual([
      ['staging', 'mongodb://staging', 50, 100, []],
      ['production', 'mongodb://lint:s3cret@production', 9, 100, ['archive']],
    ]);
  });

  it('give way to the argument, but not to MONGODB_URI', async () => {
    expect(urisOf(await settingsFor(yaml, { env, argument: 'mongodb://argument' }))).toEqual([
      'mongodb://argument from the argument',
    ]);
    expect((await settingsFor(yaml, { env: { ...env, MONGODB_URI: 'mongodb://env' } })).targets).toHaveLength(2);
  });

  it('need their variables, unless they are not used', async () => {
    await expect(settingsFor(yaml, { env: { ...env, PASSWORD: '' } })).rejects.toThrow(
      'mongolint.config.yaml:7: targets[1].uri: the environment variable PASSWORD is not set',
    );
    await expect(settingsFor(yaml, { argument: 'mongodb://argument' })).resolves.toBeDefined();
  });
});

describe('what is refused', () => {
  it.each<[string, string | null, RegExp]>([
    ['no connection string at all', null, /^mongolint needs a connection string/],
    [
      'an unknown format',
      'uri: a\nformats:\n  - pdf\n',
      /^mongolint\.config\.yaml:3: formats\[0\]: Formats are table, compact, json/,
    ],
    [
      'two reports to stdout',
      'uri: a\nformats: [table, json]\n',
      /^mongolint\.config\.yaml:2: formats\[1\]: Only one report can go to stdout/,
    ],
    [
      'a variable that is not set',
      'uri: ${NOWHERE}\n',
      /^mongolint\.config\.yaml:1: uri: the environment variable NOWHERE is not set$/,
    ],
  ])('%s', async (_, yaml, expected) => {
    await expect(settingsFor(yaml)).rejects.toThrow(expected);
  });
});

describe('--verbose', () => {
  it('shows each value that is set and where it comes from, without secrets', async () => {
    const settings = await settingsFor('failOn: info\nnotify: https://hooks.example.com/s3cret\n', {
      env: { MONGODB_URI: 'mongodb://lint:s3cret@db.example.com/' },
      flags: { format: [{ format: 'json', file: 'a.json' }] },
    });
    const text = settingsText(settings);
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'configuration: mongolint.config.yaml',
        'uri: mongodb://db.example.com (MONGODB_URI)',
        'failOn: "info" (mongolint.config.yaml:1)',
        'notify: <secret> (mongolint.config.yaml:2)',
        'format: json=a.json (--format)',
      ]),
    );
    expect(text).not.toContain('s3cret');
    expect(text).not.toContain('(default)');
  });
});

describe('warnings of passwords', () => {
  it.each<[string, string, string | undefined, number]>([
    ['in the argument', '', 'mongodb://a:b@c', 1],
    ['in the file', 'uri: mongodb://a:b@c', undefined, 1],
    ['in a target', 'targets: [{ alias: a, uri: "mongodb://a:b@c" }]', undefined, 1],
    ['not for a user alone', 'uri: mongodb://a@c', undefined, 0],
    ['not for a variable', 'uri: mongodb://a:${PASSWORD}@c', undefined, 0],
  ])('%s', async (_, yaml, argument, expected) => {
    const settings = await settingsFor(yaml, { env: { PASSWORD: 'p' }, ...(argument !== undefined && { argument }) });
    const warnings = passwordWarnings(settings);
    expect(warnings).toHaveLength(expected);
    expect(warnings.join()).not.toContain(':b@');
  });
});
