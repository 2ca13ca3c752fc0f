import { COMPONENT_STYLE } from './component-style.js';
import { THEME_STYLE } from './theme-style.js';

/** The page's style: its grid and its text. */
const LAYOUT_STYLE = String.raw`
* { box-sizing: border-box; }
html { font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--page); color: var(--ink); }
.masthead, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
main > section { margin-top: 2.75rem; }
main > section:first-child { margin-top: 1.5rem; }
h1 { font-size: clamp(1.5rem, 1.1rem + 1.8vw, 2.2rem); line-height: 1.2; letter-spacing: -0.015em; margin: 0 0 .75rem; text-wrap: balance; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0 0 .9rem; }
h3 { font-size: 1.05rem; line-height: 1.35; margin: 0; }
h4 { font-size: .78rem; letter-spacing: .05em; text-transform: uppercase; color: var(--soft); margin: 1.25rem 0 .4rem; }
p { margin: 0 0 .6rem; }
ul, ol, dl { margin: 0; padding: 0; list-style: none; }
dd { margin: 0; }
a { color: var(--accent); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .9em; }
p, dd, h3, code, .facts > span { overflow-wrap: anywhere; }
h3 { min-width: 0; }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.25rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip-link { position: absolute; left: -100vw; top: .5rem; background: var(--card); padding: .5rem 1rem; border-radius: 6px; z-index: 1; }
.skip-link:focus { left: 1rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none !important; }
.masthead { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem 1rem; padding-top: 1.1rem; padding-bottom: .9rem; }
.masthead p { margin: 0; }
.brand { font-weight: 700; letter-spacing: -.01em; color: var(--accent); }
.facts { display: flex; flex-wrap: wrap; gap: 0 .5rem; color: var(--soft); font-size: .9rem; }
.facts > span:not(:last-child)::after { content: " ·"; }
.masthead .facts { flex: 1 1 20rem; }
.glance { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem; margin-top: 1.5rem; }
.glance h2 { font-size: .95rem; color: var(--soft); font-weight: 600; }
.wide { grid-column: 1 / -1; }
nav { margin-top: 2rem; border-block: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; padding: .6rem 0; font-size: .95rem; }
footer { color: var(--soft); font-size: .85rem; margin-top: 3rem; padding-bottom: 2rem; }
@media print {
  html { font-size: 10.5pt; }
  .masthead, main, footer { max-width: none; padding: 0; }
  nav, .filter, button, .skip-link, .permalink { display: none !important; }
  h2, h3, h4, .place { break-after: avoid; }
  .plot, .command, .figures, .glance .card, tr { break-inside: avoid; }
  .plot { flex-basis: 18rem; }
  details > summary { list-style: none; }
  details::details-content { content-visibility: visible; display: block; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;

/** The whole style of the page. */
export const PAGE_STYLE = THEME_STYLE + LAYOUT_STYLE + COMPONENT_STYLE;
