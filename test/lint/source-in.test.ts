import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedSource, type SourceFolders } from '../../src/lint/source-in.js';
import { withSource } from '../support/code/understood.js';

const BOUNDS = { maxTime: 600_000 };

it('targets that share their source read it once', async () => {
  await withSource({ 'app.ts': '' }, async (folder) => {
    const source = sharedSource();
    const filesIn = async (folders: SourceFolders, read = source) => {
      const code = await (await read(folders, BOUNDS))?.code;
      return code?.present === true ? code.value.files : null;
    };
    expect(await filesIn([folder])).toBe(1);
    await writeFile(join(folder, 'more.ts'), '');
    expect(await filesIn([folder])).toBe(1);
    expect(await filesIn([{ dir: folder, include: ['*.ts'] }])).toBe(2);
    expect(await filesIn([folder], sharedSource())).toBe(2);
  });
});
