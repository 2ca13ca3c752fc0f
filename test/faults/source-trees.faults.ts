import { describe, expect, it } from 'vitest';
import { faultsOf, HOSTILE_TREES, writeTree } from '../support/code/hostile-trees.js';
import { runBuilt } from '../support/faults/built-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('source that somebody made to break its reader', () => {
  it.each(HOSTILE_TREES)('costs only itself: $what', async (tree) => {
    const folder = await temporaryFolder();
    await writeTree(tree, folder);
    const { code, stdout, stderr } = await runBuilt(['code', folder], { cwd: folder });
    expect({ faults: faultsOf(tree, code, stdout), stderr }).toEqual({ faults: [], stderr: '' });
  });
});
