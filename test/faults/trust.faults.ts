import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../support/config-folder.js';
import { runBuilt } from '../support/faults/built-command.js';

// Class 5 of "Each input costs only itself": what is found by searching counts only if nobody else could have put it there.
const SOMEBODY = 54_321;
const RUNS =
  "import { writeFileSync } from 'node:fs'; writeFileSync(new URL('ran', import.meta.url), ''); export default {};";
const SERVER = ['mongodb://127.0.0.1:1', '--timeout', '500ms'];

type Place = (folder: string) => Promise<unknown>;
const CONFIG = 'mongolint.config.mjs';

describe.each<[string, Place]>([
  ['belongs to another user', (folder) => chown(join(folder, CONFIG), SOMEBODY, SOMEBODY)],
  ['everybody may write to', (folder) => chmod(join(folder, CONFIG), 0o666)],
  [
    'another group may write to',
    async (folder) => {
      await chown(join(folder, CONFIG), process.getuid?.() ?? 0, SOMEBODY);
      await chmod(join(folder, CONFIG), 0o664);
    },
  ],
  ['lies in a folder that everybody may write to', (folder) => chmod(folder, 0o1777)],
  ['lies in a folder of another user', (folder) => chown(folder, SOMEBODY, SOMEBODY)],
  [
    'is a link to a file of another user',
    async (folder) => {
      await mkdir(join(folder, 'theirs'));
      await writeFile(join(folder, 'theirs', CONFIG), RUNS);
      await chown(join(folder, 'theirs', CONFIG), SOMEBODY, SOMEBODY);
      const { rm } = await import('node:fs/promises');
      await rm(join(folder, CONFIG));
      await symlink(join(folder, 'theirs', CONFIG), join(folder, CONFIG));
    },
  ],
])('a configuration that %s', (_, make) => {
  it('is left alone, and a line says so', async () => {
    const folder = await folderWith({ [CONFIG]: RUNS, 'project/x': '' });
    await make(folder);
    const { code, stderr } = await runBuilt(SERVER, { cwd: join(folder, 'project') });
    expect(stderr).toMatch(/mongolint\.config\.mjs was ignored: .+--config/);
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'ran')) || existsSync(join(folder, 'theirs/ran'))).toBe(false);
  });

  it('is taken if it is named by --config', async () => {
    const folder = await folderWith({ [CONFIG]: RUNS, 'project/x': '' });
    await make(folder);
    const { stderr } = await runBuilt([...SERVER, '--config', join('..', CONFIG)], { cwd: join(folder, 'project') });
    expect(stderr).not.toContain('was ignored');
    expect(existsSync(join(folder, 'ran')) || existsSync(join(folder, 'theirs/ran'))).toBe(true);
  });
});

it('a configuration of this user, or of root, is taken', async () => {
  const folder = await folderWith({ [CONFIG]: RUNS });
  const { stderr } = await runBuilt(SERVER, { cwd: folder });
  expect(stderr).not.toContain('was ignored');
  expect(existsSync(join(folder, 'ran'))).toBe(true);
});

const ran = (folder: string) => existsSync(join(folder, 'node_modules/their-plugin/ran'));

describe('a plugin that is found in a folder above', () => {
  const PLUGIN = `${RUNS.replace('export default {};', '')} export default { meta: { name: 'p', version: '1.0.0' } };`;
  const files = {
    'node_modules/their-plugin/package.json': '{"name":"their-plugin","type":"module","exports":"./index.js"}',
    'node_modules/their-plugin/index.js': PLUGIN,
    'project/mongolint.config.yaml': 'plugins: [their-plugin]\n',
  };

  it('and belongs to another user is not loaded: 2, and a line says so', async () => {
    const folder = await folderWith(files);
    for (const name of ['', 'package.json', 'index.js'])
      await chown(join(folder, 'node_modules/their-plugin', name), SOMEBODY, SOMEBODY);
    const { code, stderr } = await runBuilt(SERVER, { cwd: join(folder, 'project') });
    expect({ code, ran: ran(folder) }).toEqual({ code: 2, ran: false });
    expect(stderr).toMatch(/their-plugin.+belongs to another user/s);
  });

  it('and is nobody else’s is loaded', async () => {
    const folder = await folderWith(files);
    await runBuilt(SERVER, { cwd: join(folder, 'project') });
    expect(ran(folder)).toBe(true);
  });
});
