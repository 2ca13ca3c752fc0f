import { describe, expect, it } from 'vitest';
import { COMMENTED_CONFIG } from '../../src/cli/init-command.js';
import { loadConfig, type LoadedConfig } from '../../src/config/load-config.js';
import { LintError } from '../../src/lint-error.js';
import { folderWith } from '../support/config-folder.js';

async function loadYaml(text: string): Promise<LoadedConfig> {
  return loadConfig({ cwd: await folderWith({ 'mongolint.config.yaml': text }), plugins: [] });
}

async function errorOf(loading: Promise<LoadedConfig>): Promise<string> {
  const error: unknown = await loading.then(
    () => new Error('It was accepted.'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LintError);
  return (error as LintError).message;
}

describe('a configuration', () => {
  it('gives settings, suppressions and where each is written', async () => {
    const config = await loadYaml(`checks:
  deep-nesting: off
  unbounded-array:
    severity: info
    thresholds: { embeddedWarning: 300 }
    namespaces:
      - { glob: 'logs.*', severity: off }
suppressions:
  - check: oversized-document
    namespace: shop.carts
    reason: emptied at night
    expires: 2030-12-31
    owner: team-shop
`);
    expect(config.settings).toEqual({
      'deep-nesting': { severity: 'off' },
      'unbounded-array': {
        severity: 'info',
        thresholds: { embeddedWarning: 300 },
        namespaces: [{ glob: 'logs.*', severity: 'off' }],
      },
    });
    expect(config.suppressions).toEqual([
      {
        check: 'oversized-document',
        namespace: 'shop.carts',
        reason: 'emptied at night',
        expires: '2030-12-31',
        owner: 'team-shop',
        by: 'mongolint.config.yaml:9',
      },
    ]);
  });

  it('sets nothing where there is none', async () => {
    const { file, values, settings, suppressions, owners, plugins } = await loadConfig({
      cwd: await folderWith({}),
      plugins: [],
    });
    expect({ file, values, settings, suppressions, owners, plugins }).toEqual({
      file: null,
      values: {},
      settings: {},
      suppressions: [],
      owners: [],
      plugins: [],
    });
  });

  it('is accepted as `mongolint init` writes it, with every comment opened too', async () => {
    await expect(loadYaml(COMMENTED_CONFIG)).resolves.toMatchObject({ values: { uri: '${MONGODB_URI}' } });
    const opened = COMMENTED_CONFIG.replace(/^uri: .*$/m, '')
      .replace(/^# (\w+:|  .*)/gm, '$1')
      .replace(/^plugins: .*$/m, '');
    const { values } = await loadYaml(opened);
    expect(Object.keys(values).sort()).toEqual([
      'baseline',
      'checks',
      'exclude',
      'expect',
      'failOn',
      'formats',
      'include',
      'maxWarnings',
      'notify',
      'owners',
      'strict',
      'suppressions',
      'targets',
    ]);
  });

  it('may be JavaScript, whose errors name the key', async () => {
    const cwd = await folderWith({
      'mongolint.config.mjs': "export default { checks: { 'deep-nesting': { thresholds: { lvls: 3 } } } };",
    });
    expect(await errorOf(loadConfig({ cwd, plugins: [] }))).toMatch(
      /^mongolint\.config\.mjs: checks\.deep-nesting\.thresholds\.lvls: unknown threshold/,
    );
  });
});

describe('what is wrong is told with file, line and key', () => {
  it.each<[string, string, string]>([
    ['an unknown key', 'failon: info', '1: failon: unknown key; did you mean "failOn"?'],
    ['an unknown key that is like no other', 'colour: red', '1: colour: unknown key'],
    ['a value of another type', 'strict: "yes"', '1: strict: must be true or false'],
    [
      'a value that is not among those allowed',
      'failOn: fatal',
      '1: failOn: must be one of "error", "warning", "info", "never"',
    ],
    ['a number out of range', 'sampleSize: 0', '1: sampleSize: must be at least 1'],
    ['a number that is not whole', 'sampleSize: 1.5', '1: sampleSize: must be a whole number'],
    [
      'a number that is a text',
      'checks:\n  deep-nesting:\n    thresholds: { warning: many }',
      '3: checks.deep-nesting.thresholds.warning: must be a number',
    ],
    ['a text that is a number', 'baseline: 5', '1: baseline: must be text'],
    ['a list that is a text', 'include: shop.*', '1: include: must be a list'],
    [
      'a number that must be above another',
      "expect: [{ glob: 'a.b', executionsPerDay: 0 }]",
      '1: expect[0].executionsPerDay: must be above 0',
    ],
    ['a rule for nothing', 'owners: [{ owner: team }]', '1: owners[0]: needs a glob, an appName, or both'],
    ['a rule without an owner', "owners: [{ glob: 'a.*' }]", '1: owners[0].owner: is missing: it must be text'],
    ['no object at all', '- strict', '1: must be keys with values'],
    ['an unknown key that is near no other', 'colour: info', '1: colour: unknown key'],
    [
      'an unknown check',
      'checks:\n  unbounded-arrays: off',
      '2: checks.unbounded-arrays: unknown check; did you mean "unbounded-array"?',
    ],
    [
      'a severity that is none',
      'checks:\n  deep-nesting: fatal',
      '2: checks.deep-nesting: must be one of "error", "warning", "info", "off"',
    ],
    [
      'a setting that is none',
      'checks:\n  deep-nesting: 3',
      '2: checks.deep-nesting: must be one of "error", "warning", "info", "off"',
    ],
    [
      'a severity inside a setting',
      'checks:\n  deep-nesting:\n    severity: fatal',
      '3: checks.deep-nesting.severity: must be one of "error", "warning", "info", "off"',
    ],
    [
      'an unknown threshold',
      'checks:\n  unbounded-array:\n    thresholds:\n      embedededInfo: 3',
      '4: checks.unbounded-array.thresholds.embedededInfo: unknown threshold; did you mean "embeddedInfo"?',
    ],
    [
      'a threshold that is negative',
      'checks:\n  unbounded-array:\n    thresholds: { embeddedInfo: -1 }',
      '3: checks.unbounded-array.thresholds.embeddedInfo: must be at least 0',
    ],
    [
      'a namespace without a glob',
      'checks:\n  deep-nesting:\n    namespaces:\n      - severity: off',
      '4: checks.deep-nesting.namespaces[0].glob: is missing: it must be text',
    ],
    [
      'a suppression without a reason',
      'suppressions:\n  - check: deep-nesting',
      '2: suppressions[0].reason: is missing: it must be text',
    ],
    [
      'a suppression with an empty reason',
      'suppressions:\n  - check: deep-nesting\n    reason: " "',
      '3: suppressions[0].reason: say why it is suppressed',
    ],
    [
      'a day that does not exist',
      'suppressions:\n  - check: deep-nesting\n    reason: a\n    expires: 2026-02-30',
      '4: suppressions[0].expires: must be a day that exists, as "YYYY-MM-DD"',
    ],
    [
      'a day in another order',
      'suppressions:\n  - check: deep-nesting\n    reason: a\n    expires: 30.06.2026',
      '4: suppressions[0].expires: must be a day that exists, as "YYYY-MM-DD"',
    ],
    [
      'a suppression of no check',
      'suppressions:\n  - check: deep-nestin\n    reason: a',
      '2: suppressions[0].check: no check has this id; did you mean "deep-nesting"?',
    ],
    ['both uri and targets', 'uri: a\ntargets: [{ alias: a, uri: b }]', '2: targets: give either uri or targets'],
    ['no targets', 'targets: []', '1: targets: must not be an empty list'],
    [
      'an alias twice',
      'targets:\n  - { alias: a, uri: b }\n  - { alias: a, uri: c }',
      '3: targets[1].alias: another target has this alias',
    ],
    [
      'a sibling that is no target',
      'targets:\n  - { alias: eu, uri: b }\n  - { alias: us, uri: c, sibling: eus }',
      '3: targets[1].sibling: must be the alias of another target; did you mean "eu"?',
    ],
    [
      'a target that is its own sibling',
      'targets: [{ alias: eu, uri: b, sibling: eu }]',
      '1: targets[0].sibling: must be the alias of another target',
    ],
    [
      'a channel of nobody',
      "owners: [{ glob: 'a.*', owner: team-shop }]\nchannels: [{ owner: team-shp, notify: a }]",
      '2: channels[0].owner: "owners" do not name it; did you mean "team-shop"?',
    ],
    [
      'an alias that is no name',
      'targets:\n  - { alias: ../a, uri: b }',
      '2: targets[0].alias: an alias is made of letters, digits, "_", "-" and "."',
    ],
    [
      'a glob with a broken bracket',
      "include: ['shop.*', 'crm.[ab']",
      '1: include[1]: the glob lacks a "]"; write "\\" before a bracket that stands for itself',
    ],
    [
      'a glob of a target',
      "targets:\n  - alias: a\n    uri: b\n    exclude: ['[']",
      '4: targets[0].exclude[0]: the glob lacks a "]"; write "\\" before a bracket that stands for itself',
    ],
    ['a glob that is empty', "exclude: ['']", '1: exclude[0]: must not be empty'],
    [
      'a glob of a suppression',
      "suppressions:\n  - check: deep-nesting\n    namespace: '.orders'\n    reason: a",
      '3: suppressions[0].namespace: the glob names no database before its "."',
    ],
    [
      'a glob of a setting',
      "checks:\n  deep-nesting:\n    namespaces:\n      - { glob: 'shop.', severity: off }",
      '4: checks.deep-nesting.namespaces[0].glob: the glob names no collection after its "."',
    ],
    [
      'a config of no plugin',
      'extends: [finance/strict]',
      '1: extends[0]: there is no such file or package, and no plugin has this config',
    ],
  ])('%s', async (_, text, expected) => {
    expect(await errorOf(loadYaml(`${text}\n`))).toBe(`mongolint.config.yaml:${expected}`);
  });

  it('everything at once, a line each, in the order of the file', async () => {
    const message = await errorOf(loadYaml('colour: red\nchecks:\n  deep-nestin: off\nstrict: 1\nsize: 3\n'));
    expect(message.split('\n').map((line) => line.split(':').slice(1, 3).join(':'))).toEqual([
      '1: colour',
      '3: checks.deep-nestin',
      '4: strict',
      '5: size',
    ]);
  });

  it('without any value, which may be a secret', async () => {
    const text =
      'uri: [mongodb://a:s3cret@b]\nnotify: { url: https://s3cret }\ntargets:\n  - { alias: "s3cret key", uri: 3 }\nfailOn: s3cret\n';
    expect(await errorOf(loadYaml(text))).not.toContain('s3cret');
  });
});
