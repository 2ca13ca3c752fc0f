/** Which files of the repository are pages of the site, and where; and which are given as they are. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
export const read = (path) => readFileSync(join(root, path), 'utf8');

const markdownIn = (folder) =>
  readdirSync(join(root, folder)).filter((name) => name.endsWith('.md') && !name.startsWith('_'));

/** By its path in the repository, the path of each page. */
export const pages = new Map([
  ...markdownIn('site/pages').map((name) => [`site/pages/${name}`, name]),
  ...['docs', 'checks'].flatMap((folder) =>
    markdownIn(folder).map((name) => [`${folder}/${name}`, `${folder}/${name}`]),
  ),
  ['test/prove/README.md', 'proof/commands.md'],
  ['test/applications/README.md', 'proof/findings.md'],
  ['SECURITY.md', 'security.md'],
  ['CHANGELOG.md', 'changelog.md'],
]);

/** Where a page of the site is from. */
export const sourceOf = (page) => [...pages].find(([, known]) => known === page)?.[0] ?? page;

/** Ids of checks, in the order in which people should read findings. */
export const checks = [...read('docs/checks.md').matchAll(/^- \[`([a-z0-9-]+)`\]/gm)].map(([, id]) => id);

export const titleOf = (path) => /^# (.+)$/m.exec(read(path))?.[1] ?? path;

/** The text of a page; the first one has the measured figures of README. */
export function pageText(path) {
  const [, proof = ''] = /<!-- proof:start -->([^]*?)<!-- proof:end -->/.exec(read('README.md')) ?? [];
  return read(path)
    .replace('CHECKS checks', `${checks.length} checks`)
    .replace('<!-- proof -->', proof.replaceAll('](test/', '](../../test/'));
}

/** Where a link of a page leads on the site. Files that are no pages are shown as text. */
export function linkFrom(page, href) {
  const [, target = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
  if (/^[a-z]+:/i.test(href) || target === '' || target.startsWith('/')) return href;
  const path = posix.normalize(posix.join(posix.dirname(page), target));
  const known = pages.get(path);
  if (known !== undefined) return `/${known}${anchor}`;
  if (!existsSync(join(root, path))) throw new Error(`${page} links to ${path}, which is not there.`);
  return `/files/${path}${path.endsWith('.json') ? '' : '.txt'}`;
}

/** The files that a built page links to: what they are on the site, and in the repository. */
export function linkedFiles(html) {
  return [...html.matchAll(/href="[^"]*?\/(files\/([^"#]+))"/g)].map(([, copy, path]) => [
    copy,
    path.replace(/\.txt$/, ''),
  ]);
}
