import { createHash } from 'node:crypto';
import { packageFile } from '../../files/package-root.js';
import { Html, html } from './prose-html.js';

const read = (file: string) => String(packageFile(`src/report/html/${file}`));
/** In sources as well as in the package, these lie in this folder. */
const PAGE_STYLE = read('page.css');
const PAGE_SCRIPT = read('page.js');

/** What differs from page to page. */
export interface PageParts {
  readonly title: string;
  readonly brand: string;
  readonly facts: readonly (string | Html)[];
  /** With a section whose id is `findings`, which a link leads to. */
  readonly body: Html;
  readonly footer: Html;
}

const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b6b58"/><path d="M4 11V5l4 4 4-4v6" fill="none" stroke="#fff" stroke-width="2"/></svg>')}`;

/** Only style and script of the page, by their hashes, and the icon. */
const POLICY = `default-src 'none'; style-src ${hashSource(PAGE_STYLE)}; script-src ${hashSource(PAGE_SCRIPT)}; img-src data:; base-uri 'none'; form-action 'none'`;

/** One HTML page, without any other file or the network. */
export function htmlPage({ title, brand, facts, body, footer }: PageParts): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip-link" href="#findings">Skip to the findings</a>
<header class="masthead">
<p class="brand">${brand}</p>
<p class="facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p>
<button type="button" id="theme" hidden>Dark theme</button>
</header>
<main>
${body}
</main>
<footer>${footer}</footer>
<script>${new Html(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return page.source;
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
