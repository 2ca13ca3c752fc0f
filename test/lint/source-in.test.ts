import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedSource } from '../../src/lint/source-in.js';
import { withSource } from '../support/code/understood.js';

it('targets that share their source read it once', async () => {
  await withSource({ 'app.ts': '' }, async (folder) => {
    const source = sharedSource();
    const first = await source([folder]);
    await writeFile(join(folder, 'more.ts'), '');
    expect(await source([folder])).toBe(first);
    expect((await source([{ dir: folder, include: ['*.ts'] }]))?.files).toBe(2);
    expect((await sharedSource()([folder]))?.files).toBe(2);
  });
});
