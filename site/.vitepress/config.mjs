import { defineConfig } from 'vitepress';
import { alsoSearchedBy } from '../everyday-words.mjs';
import { checks, linkFrom, sourceOf, titleOf } from '../pages.mjs';

/** Nothing is asked of other hosts. */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'self'; form-action 'none'";

const LISTS = new Set(['changelog.md', 'proof/commands.md', 'proof/findings.md']);

const GUIDES = ['begin', 'in-production', 'in-a-build', 'jobs', 'code', 'evidence', 'mcp'];
const REFERENCE = ['checks', 'configuration', 'reports', 'troubleshooting'];
const items = (names) => names.map((name) => ({ text: titleOf(`docs/${name}.md`), link: `/docs/${name}` }));
const MORE = [
  { text: 'Schemas', link: '/schemas' },
  { text: 'Compare with', link: '/compare-with' },
  { text: 'Proof: commands', link: '/proof/commands' },
  { text: 'Proof: findings', link: '/proof/findings' },
  { text: 'Security', link: '/security' },
  { text: 'Changelog', link: '/changelog' },
  { text: 'Development', link: '/docs/development' },
];
const docs = [
  { text: 'Use it', items: items(GUIDES) },
  { text: 'Look it up', items: items(REFERENCE) },
  { text: 'More', items: MORE },
];

export default defineConfig({
  title: 'mongolint',
  description: 'The anti-pattern linter for live MongoDB clusters',
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  srcDir: '.pages',
  outDir: './dist',
  cacheDir: './.vitepress/cache',
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }],
  ],
  // `test/site.test.mjs` follows every link of the built pages.
  ignoreDeadLinks: [/^\/(?:files|playground)\//],
  markdown: {
    // As on GitHub, for which the pages are written.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
    },
    config(md) {
      // Addresses of examples are no links.
      md.set({ linkify: false });
      md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
        const page = sourceOf(env.relativePath);
        for (const token of tokens.flatMap(({ children }) => children ?? []))
          if (token.type === 'link_open') token.attrSet('href', linkFrom(page, token.attrGet('href')));
      });
    },
  },
  themeConfig: {
    nav: [
      { text: 'Begin', link: '/docs/begin' },
      { text: 'Checks', link: '/docs/checks' },
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
      { text: 'Compare with', link: '/compare-with' },
    ],
    sidebar: {
      '/checks/': [{ text: 'Checks', items: checks.map((id) => ({ text: id, link: `/checks/${id}` })) }],
      '/': docs,
    },
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // Words are short: a fuzzier search takes "big" for "bug".
        miniSearch: { searchOptions: { fuzzy: 0.1, prefix: true, boost: { title: 4, text: 2, titles: 1 } } },
        _render(source, env, md) {
          // Long, and about everything: they would come before what somebody looks for.
          if (LISTS.has(env.relativePath)) return '';
          const html = md.render(source.replace(/<!-- checks:start -->[^]*<!-- checks:end -->/, ''), env);
          const [, id] = /^checks\/(.+)\.md$/.exec(env.relativePath) ?? [];
          return id === undefined ? html : html.replace('</h1>', `</h1><p>${alsoSearchedBy[id] ?? ''}</p>`);
        },
      },
    },
  },
});
