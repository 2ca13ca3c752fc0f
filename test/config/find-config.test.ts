import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findConfig } from '../../src/config/find-config.js';
import { LintError } from '../../src/lint-error.js';
import { folderWith } from '../support/config-folder.js';

describe('findConfig', () => {
  it.each([
    ['mongolint.config.yaml', 'failOn: info\n'],
    ['mongolint.config.yml', '# a comment\nfailOn: info\n'],
    ['mongolint.config.json', '{\n\t"failOn": "info"\n}\n'],
    ['mongolint.config.mjs', "export default { failOn: 'info' };\n"],
    ['package.json', '{\n  "name": "shop",\n  "mongolint": { "failOn": "info" }\n}\n'],
  ])('reads %s', async (name, text) => {
    const cwd = await folderWith({ [name]: text });
    expect(await findConfig(cwd)).toMatchObject({ path: join(cwd, name), name, value: { failOn: 'info' } });
  });

  it('reads JavaScript of an ES module package', async () => {
    const cwd = await folderWith({
      'package.json': '{"type":"module"}',
      'mongolint.config.js': "export default { failOn: 'info' };",
    });
    expect(await findConfig(cwd)).toMatchObject({ name: 'mongolint.config.js', value: { failOn: 'info' } });
  });

  it('looks in the folders above, past a package.json without the key', async () => {
    const root = await folderWith({
      'mongolint.config.yaml': 'strict: true\n',
      'packages/shop/package.json': '{"name":"shop"}',
    });
    const cwd = join(root, 'packages', 'shop', 'src');
    await mkdir(cwd);
    expect(await findConfig(cwd)).toMatchObject({ name: '../../../mongolint.config.yaml', value: { strict: true } });
  });

  it('takes an empty file for one that sets nothing', async () => {
    const root = await folderWith({ 'mongolint.config.yaml': 'strict: true\n', 'shop/mongolint.config.yaml': '\n' });
    expect(await findConfig(join(root, 'shop'))).toMatchObject({ name: 'mongolint.config.yaml', value: {} });
    const comments = await folderWith({ 'mongolint.config.yaml': '# nothing\n' });
    expect(await findConfig(comments)).toMatchObject({ value: {} });
  });

  it('finds none where there is none, and none in a broken package.json of others', async () => {
    expect(await findConfig(await folderWith({ 'package.json': '{ "name": ' }))).toBeNull();
  });

  it.runIf(process.platform !== 'win32')(
    'leaves alone what others can write, says so, and looks further up',
    async () => {
      const root = await folderWith({
        'mongolint.config.yaml': 'strict: true\n',
        'shop/mongolint.config.mjs': "throw new Error('ran')",
        'shop/shared/mongolint.config.yaml': 'strict: 1\n',
        'shop/shared/src/x': '',
      });
      await chmod(join(root, 'shop/mongolint.config.mjs'), 0o666);
      await chmod(join(root, 'shop/shared'), 0o1777);
      const lines: string[] = [];
      const say = (line: string) => void lines.push(line);
      const cwd = join(root, 'shop/shared/src');
      expect(await findConfig(cwd, undefined, { say })).toMatchObject({ value: { strict: true } });
      expect(lines).toEqual([
        '../mongolint.config.yaml was ignored: it lies in a folder that can be written by others. If it is yours, name it with --config.',
        '../../mongolint.config.mjs was ignored: it can be written by others. If it is yours, name it with --config.',
      ]);
      expect(await findConfig(cwd, '../mongolint.config.yaml', { say })).toMatchObject({ value: { strict: 1 } });
      expect(lines).toHaveLength(2);
    },
  );

  it('reads the file that is named', async () => {
    const cwd = await folderWith({ 'mongolint.config.yaml': 'strict: true\n', 'ci/strict.json': '{"strict":false}' });
    expect(await findConfig(cwd, 'ci/strict.json')).toMatchObject({ name: 'ci/strict.json', value: { strict: false } });
  });

  it.each<[string, Record<string, string>, string | undefined, RegExp]>([
    ['no such file', {}, 'none.yaml', /^The configuration none\.yaml can't be read: there is no such file\.$/],
    ['another kind of file', { 'a.toml': 'a = 1' }, 'a.toml', /^mongolint can't read a\.toml as a configuration/],
    [
      'a package.json without the key',
      { 'package.json': '{"name":"mongolint"}' },
      'package.json',
      /^package\.json has no key "mongolint"\.$/,
    ],
    [
      'broken YAML',
      { 'mongolint.config.yaml': 'strict: true\nfailOn: [info\n' },
      undefined,
      /^mongolint\.config\.yaml:3: .*must be sufficiently indented and end with a \]/,
    ],
    [
      'a key twice',
      { 'mongolint.config.yaml': 'strict: true\nstrict: false\n' },
      undefined,
      /^mongolint\.config\.yaml:2: Map keys must be unique/,
    ],
    [
      'broken JSON',
      { 'mongolint.config.json': '{\n "strict": \n' },
      undefined,
      /^mongolint\.config\.json:2: Flow map must end with a \}\.$/,
    ],
    [
      'a list in place of a key, which a warning of the parser would quote',
      { 'mongolint.config.yaml': 'failOn: info\n? [mongodb://lint:s3cret@host]\n: 1\n' },
      undefined,
      /^mongolint\.config\.yaml:2: a key is a list, a map or an alias: write a name\.$/,
    ],
    ['a broken package.json', { 'package.json': '{\n "mongolint": {\n' }, undefined, /^package\.json:3: /],
    [
      'broken JavaScript',
      { 'mongolint.config.mjs': 'export default {' },
      undefined,
      /^mongolint\.config\.mjs failed to load: /,
    ],
    [
      'JavaScript that throws',
      { 'mongolint.config.mjs': "throw new Error('no vault');" },
      undefined,
      /^mongolint\.config\.mjs failed to load: Error: no vault$/,
    ],
    [
      'JavaScript without a default export',
      { 'mongolint.config.mjs': 'export const a = 1;' },
      undefined,
      /^mongolint\.config\.mjs has no default export/,
    ],
  ])('says in one line: %s', async (_, files, named, expected) => {
    const cwd = await folderWith(files);
    const finding = findConfig(cwd, named);
    await expect(finding).rejects.toThrow(LintError);
    await expect(finding).rejects.toThrow(expected);
    await expect(finding).rejects.not.toThrow(/\n/);
  });

  it('does not quote credentials of a broken file', async () => {
    const cwd = await folderWith({ 'mongolint.config.yaml': 'uri: "mongodb://lint:s3cret@host\n' });
    await expect(findConfig(cwd)).rejects.toThrow(/mongolint\.config\.yaml:2: /);
    await expect(findConfig(cwd)).rejects.not.toThrow(/s3cret/);
  });
});

describe('the line of a key', () => {
  const text = `# a comment
failOn: info
checks:
  unbounded-array:
    thresholds:
      embeddedInfo: 3
suppressions:
  - check: a
    reason: b
  - { check: c,
      reason: d }
`;

  it.each([
    [['failOn'], 2],
    [['checks', 'unbounded-array'], 4],
    [['checks', 'unbounded-array', 'thresholds', 'embeddedInfo'], 6],
    [['checks', 'unbounded-array', 'severity'], 4],
    [['checks', 'deep-nesting', 'severity'], 3],
    [['suppressions', 0], 8],
    [['suppressions', 0, 'reason'], 9],
    [['suppressions', 1, 'reason'], 11],
    [['suppressions', 2], 7],
    [[], 1],
  ])('%j stands on line %i, or its parent does', async (path, line) => {
    const config = await findConfig(await folderWith({ 'mongolint.config.yaml': text }));
    expect(config?.lineOf(path)).toBe(line);
  });

  it('is counted in package.json as in the file', async () => {
    const config = await findConfig(
      await folderWith({ 'package.json': '{\n  "name": "a",\n  "mongolint": {\n    "strict": 1\n  }\n}\n' }),
    );
    expect(config?.lineOf(['strict'])).toBe(4);
  });

  it('is not known in JavaScript', async () => {
    const config = await findConfig(await folderWith({ 'mongolint.config.mjs': 'export default { strict: 1 };' }));
    expect(config?.lineOf(['strict'])).toBeNull();
  });
});
