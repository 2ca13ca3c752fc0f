/** Builds the site into `dist/`: pages from `docs/` and `checks/`, files that they link to, and the playground. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vitepress';
import { linkedFiles, pages, pageText, root } from './pages.mjs';
import { bundlePlayground } from './playground/bundle.mjs';

const site = join(root, 'site');
const output = join(site, 'dist');
const sources = join(site, '.pages');

for (const folder of [output, sources]) rmSync(folder, { recursive: true, force: true });
for (const [path, page] of pages) {
  mkdirSync(dirname(join(sources, page)), { recursive: true });
  writeFileSync(join(sources, page), pageText(path));
}
cpSync(join(root, 'docs/images'), join(sources, 'docs/images'), { recursive: true });
await build(site);
const built = readdirSync(output, { recursive: true }).filter((name) => name.endsWith('.html'));
for (const [copy, path] of built.flatMap((name) => linkedFiles(readFileSync(join(output, name), 'utf8')))) {
  mkdirSync(dirname(join(output, copy)), { recursive: true });
  cpSync(join(root, path), join(output, copy));
}
await bundlePlayground(join(output, 'playground'));
