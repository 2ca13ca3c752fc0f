import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPlugins } from '../../../src/config/plugins/load-plugins.js';
import { LintError } from '../../../src/lint-error.js';
import { renderReport, type ReportFormat } from '../../../src/report/formats.js';
import { folderWith } from '../../support/config-folder.js';
import { richReport } from '../../support/report/rich-report.js';

const CHECK = `{ id: 'no-cents', title: 'No cents', summary: 'amounts in cents', docs: 'https://example.com/', appliesTo: ['collection'],
  needs: ['documents'], thresholds: {}, judge: () => [] }`;
const plugin = (changes = '') =>
  `export default { meta: { name: 'finance', version: '1.2.3' }, checks: [${CHECK}], ...{ ${changes} } };`;
const FORMAT = "{ name: 'csv', description: 'd', extension: 'csv', render: () => '' }";
const withFormat = (changes: string) => plugin(`formats: [{ ...${FORMAT}, ${changes} }]`);
const withCheck = (changes: string) => plugin(`checks: [{ ...${CHECK}, ${changes} }]`);

describe('loadPlugins', () => {
  it('names checks after the plugin', async () => {
    const folder = await folderWith({ 'finance.mjs': plugin() });
    const [loaded] = await loadPlugins([{ module: './finance.mjs', folder }]);
    expect(loaded).toMatchObject({
      meta: { name: 'finance', version: '1.2.3' },
      checks: [{ id: 'finance/no-cents' }],
      configs: {},
    });
  });

  it.each([
    ['a package with exports for imports alone', { exports: { import: './index.mjs' } }, 'index.mjs', plugin()],
    ['a package with a main file', { main: 'lib/index.mjs' }, 'lib/index.mjs', plugin()],
    ['a CommonJS package', { main: 'index.cjs' }, 'index.cjs', plugin().replace('export default', 'module.exports =')],
  ])('loads %s from the project', async (_, manifest, file, text) => {
    const folder = await folderWith({
      'node_modules/mongolint-plugin-finance/package.json': JSON.stringify({
        name: 'mongolint-plugin-finance',
        ...manifest,
      }),
      [`node_modules/mongolint-plugin-finance/${file}`]: text,
    });
    const [loaded] = await loadPlugins([{ module: 'mongolint-plugin-finance', folder }]);
    expect(loaded?.checks.map(({ id }) => id)).toEqual(['finance/no-cents']);
  });

  it('loads a plugin once that is named twice', async () => {
    const folder = await folderWith({ 'finance.mjs': plugin() });
    const references = ['./finance.mjs', `${folder}/finance.mjs`].map((module) => ({ module, folder }));
    expect(await loadPlugins(references)).toHaveLength(1);
  });

  it('accepts a check of the whole cluster, and a plugin with configs alone', async () => {
    const folder = await folderWith({
      'a.mjs': withCheck("scope: 'cluster', clusterNeeds: ['workload'], appliesTo: undefined"),
      'b.mjs':
        "export default { meta: { name: 'strict', version: '1.0.0' }, configs: { all: { checks: { 'deep-nesting': 'error' } } } };",
    });
    const loaded = await loadPlugins(['./a.mjs', './b.mjs'].map((module) => ({ module, folder })));
    expect(loaded.map(({ checks, configs }) => [checks.length, Object.keys(configs)])).toEqual([
      [1, []],
      [0, ['all']],
    ]);
  });

  it('names formats after the plugin, and gives each a copy of the report', async () => {
    const folder = await folderWith({
      'finance.mjs': plugin(
        "formats: [{ name: 'csv', description: 'd', extension: 'csv', sign: '!', render(report, { width }) { report.changed = true; return `${width}${this.sign}`; } }]",
      ),
    });
    const [loaded] = await loadPlugins([{ module: './finance.mjs', folder }]);
    expect(loaded?.formats).toMatchObject([{ name: 'finance/csv', description: 'd', extension: 'csv' }]);
    const report = richReport();
    expect(await renderReport(report, loaded?.formats[0] as ReportFormat, { width: 70 })).toBe('70!');
    expect(report).toEqual(richReport());
  });

  it.each([
    [
      'is not there',
      '',
      /^The plugin "\.\/other\.mjs" was not found from \/.*: there is no such file\.$/,
      './other.mjs',
    ],
    [
      'is not installed',
      '',
      /^The plugin "finance" was not found from .*: install it there, or, if it is a file, write it as "\.\/finance"\.$/,
      'finance',
    ],
    ['does not parse', 'export default {', /^The plugin "\.\/finance\.mjs" failed to load: /],
    ['throws', "throw new Error('no licence');", /^The plugin "\.\/finance\.mjs" failed to load: Error: no licence$/],
    [
      'exports nothing',
      'export const a = 1;',
      /is not compatible with this version of mongolint: its default export: is missing: it must be keys with values\.$/,
    ],
    ['has no name', plugin('meta: {}'), /: meta\.name: is missing: it must be text\.$/],
    ['has no version', plugin("meta: { name: 'finance' }"), /: meta\.version: is missing: it must be text\.$/],
    [
      'has a name with a slash',
      plugin("meta: { name: 'a/b', version: '1' }"),
      /: meta\.name: must be written in kebab-case\.$/,
    ],
    [
      'has a check with an id in camel case',
      withCheck("id: 'noCents'"),
      /: checks\.0\.id: must be written in kebab-case\.$/,
    ],
    [
      'has a check without a page',
      withCheck('docs: undefined'),
      /: checks\.0\.docs: must be the address of the check's page\.$/,
    ],
    [
      'has a check that judges by evidence of another version',
      withCheck("needs: ['telemetry']"),
      /: checks\.0\.needs\.0: must be evidence that this version of mongolint collects: storage, buckets, indexes, /,
    ],
    [
      'has a check of a scope that there is not',
      withCheck("scope: 'shard'"),
      /: checks\.0\.scope: must be one of "collection", "cluster"\.$/,
    ],
    ['has a check that does not judge', withCheck('judge: 3'), /: checks\.0\.judge: must be a function\.$/],
    [
      'has a threshold without a source',
      withCheck("thresholds: { share: { default: 1, unit: 'share', description: 'd' } }"),
      /: checks\.0\.thresholds\.share\.source: /,
    ],
    [
      'has a threshold that is no number',
      withCheck("thresholds: { share: { default: NaN, unit: 'share', description: 'd', source: 's' } }"),
      /: checks\.0\.thresholds\.share\.default: /,
    ],
    [
      'has a format whose name has a slash',
      withFormat("name: 'finance/csv'"),
      /: formats\.0\.name: must be written in kebab-case\.$/,
    ],
    ['has a format that does not render', withFormat('render: 3'), /: formats\.0\.render: must be a function\.$/],
    [
      'has a format that renders targets in no way',
      withFormat('renderTargets: []'),
      /: formats\.0\.renderTargets: must be a function\.$/,
    ],
    [
      'has a format with a dot before its extension',
      withFormat("extension: '.csv'"),
      /: formats\.0\.extension: must be an extension without its dot, such as "csv"\.$/,
    ],
    [
      'has a format without a description',
      withFormat('description: undefined'),
      /: formats\.0\.description: is missing: it must be text\.$/,
    ],
  ])('says in one line that a plugin %s', async (_, text, expected, module = './finance.mjs') => {
    const folder = await folderWith({ 'finance.mjs': text });
    const loading = loadPlugins([{ module, folder }]);
    await expect(loading).rejects.toThrow(LintError);
    await expect(loading).rejects.toThrow(expected);
    await expect(loading).rejects.not.toThrow(/\n/);
  });

  it.runIf(process.platform !== 'win32')('leaves alone a package that others can write', async () => {
    const root = await folderWith({
      'node_modules/@shared/finance/package.json': '{"main":"index.mjs"}',
      'node_modules/@shared/finance/index.mjs': "throw new Error('ran')",
      'shop/x': '',
    });
    await chmod(join(root, 'node_modules/@shared/finance'), 0o777);
    const loading = loadPlugins([{ module: '@shared/finance/index.mjs', folder: join(root, 'shop') }]);
    await expect(loading).rejects.toThrow(
      /^The plugin "@shared\/finance\/index\.mjs" was ignored: \S+package\.json lies in a folder that can be written by others\. /,
    );
  });

  it('refuses two plugins of one name', async () => {
    const folder = await folderWith({ 'a.mjs': plugin(), 'b.mjs': plugin() });
    const loading = loadPlugins(['./a.mjs', './b.mjs'].map((module) => ({ module, folder })));
    await expect(loading).rejects.toThrow('Two plugins are named "finance": remove one of them.');
  });
});
