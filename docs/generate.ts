/** `npm run docs`: writes the generated tables of docs/, of the checks' pages, and the published JSON Schema. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../src/files/package-root.js';
import { documentedFiles } from './documented-files.js';

for (const { path, generate } of documentedFiles()) {
  const file = join(packageRoot(), path);
  const before = await readFile(file, 'utf8').catch(() => '');
  await writeFile(file, generate(before));
}
