import type { Location, Log } from 'sarif';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import { renderCompact } from '../../src/report/compact.js';
import { renderGithub } from '../../src/report/github.js';
import { renderGitlab } from '../../src/report/gitlab.js';
import { renderHtml } from '../../src/report/html/html-report.js';
import { renderMarkdown } from '../../src/report/markdown.js';
import { RENDER_DEFAULTS } from '../../src/report/report-options.js';
import type { Report } from '../../src/report/report.js';
import { renderSarif } from '../../src/report/sarif.js';
import { renderTable } from '../../src/report/table.js';
import { findingOf, reportOf } from '../support/report/sample-report.js';

const CODE_URL = 'https://git.example/blob/main/{file}#L{line}';
const push = { file: 'src/my orders.ts', line: 42, of: 'push', certain: true } as const;
const schema = { file: 'src/order.ts', line: 7, of: 'schema', certain: true } as const;
const one = { file: 'src/a.ts', line: 3, of: 'operation', certain: false } as const;
const other = { file: 'src/b.ts', line: 9, of: 'operation', certain: false } as const;

const located = (locations: Finding['locations'], rest: Partial<Finding> = {}): Report =>
  reportOf({ findings: [{ ...findingOf({}), ...(locations !== undefined && { locations }), ...rest }] });
const certain = located([push, schema]);
const unclear = located([one, other]);

const resultOf = (report: Report) =>
  (JSON.parse(renderSarif(report, { anchor: 'c.yaml' })) as Log).runs[0]?.results?.[0];
const places = (list: readonly Location[] = []) =>
  list.map(({ physicalLocation }) => {
    const { artifactLocation, region } = physicalLocation as {
      artifactLocation: { uri: string };
      region: { startLine: number };
    };
    return `${artifactLocation.uri}:${region.startLine}`;
  });

describe('a finding with a certain line', () => {
  it('is at that line in formats for code hosts', () => {
    expect(renderGithub(certain, { anchor: 'c.yaml' })).toContain(',file=src/my orders.ts,line=42::');
    expect(JSON.parse(renderGitlab(certain, { anchor: 'c.yaml' }))[0].location).toEqual({
      path: 'src/my orders.ts',
      lines: { begin: 42 },
    });
    const result = resultOf(certain);
    expect(places(result?.locations)).toEqual(['src/my%20orders.ts:42']);
    expect(places(result?.relatedLocations)).toEqual(['src/order.ts:7']);
  });

  it('names it in formats for people', () => {
    const text = 'src/my orders.ts:42 (adds to it)';
    for (const rendered of [renderCompact(certain), renderTable(certain, RENDER_DEFAULTS), renderHtml(certain)])
      expect(rendered).toContain(text);
    expect(renderMarkdown(certain)).toContain('**Source:** src/my orders.ts:42 (adds to it); src/order.ts:7 (schema)');
  });

  it('links it by a template', () => {
    const url = 'https://git.example/blob/main/src/my%20orders.ts#L42';
    expect(renderHtml(certain, { codeUrl: CODE_URL })).toContain(`<a href="${url}">src/my orders.ts:42</a>`);
    expect(renderMarkdown(certain, { codeUrl: CODE_URL })).toContain(`](<${url}>)`);
    expect(renderHtml(certain, { codeUrl: 'javascript:alert("{file}")' })).not.toContain('javascript:alert');
  });
});

describe('a finding that may be about several lines', () => {
  it('stays at the configuration, and names them as alternatives', () => {
    expect(renderGithub(unclear, { anchor: 'c.yaml' })).toContain(',file=c.yaml,line=1::');
    const result = resultOf(unclear);
    expect(places(result?.locations)).toEqual(['c.yaml:1']);
    expect(places(result?.relatedLocations)).toEqual(['src/a.ts:3', 'src/b.ts:9']);
    expect(renderCompact(unclear)).toContain('one of src/a.ts:3 and src/b.ts:9 (operation)');
  });

  it('says how many there are, if they are too many to name', () => {
    expect(renderCompact(located(undefined, { furtherPlaces: 7 }))).toContain('7 places may send it');
  });
});

describe('without source', () => {
  it('no format names it', () => {
    const plain = located(undefined);
    const texts = [renderCompact, renderGithub, renderGitlab, renderSarif, renderHtml, renderMarkdown].map((render) =>
      render(plain),
    );
    for (const text of [...texts, renderTable(plain, RENDER_DEFAULTS)]) expect(text).not.toMatch(/Source:|source {4}/);
  });
});

const order = (text: string) => [...text.matchAll(/<br>`shop\.(\w+)/g)].map(([, name]) => name);

describe('a comment', () => {
  it('begins with the findings of changed files', () => {
    const worse = findingOf({ severity: 'error', namespace: 'shop.worse' });
    const changed = { ...findingOf({ severity: 'info', namespace: 'shop.changed' }), locations: [push] };
    const report = reportOf({ findings: [worse, changed] });
    expect(order(renderMarkdown(report))).toEqual(['worse', 'changed']);
    const text = renderMarkdown(report, { changed: [push.file] });
    expect(order(text)).toEqual(['changed', 'worse']);
    expect(text).toContain('The first finding is about a file that changed.');
  });
});

it('the coverage says how much of the source is understood', () => {
  const unread = ['a', 'b', 'c'].map((name) => ({ file: `${name}.js`, why: 'it has a syntax error' }));
  const code = { files: 214, unreadFiles: 4, unread, places: 643, withCollection: 560, complete: 498 };
  const text = renderTable(
    { ...reportOf({}), code: { ...code, callersNotFollowed: 7 } },
    { ...RENDER_DEFAULTS, width: 400 },
  );
  expect(text).toContain('214 files read, 4 not: a.js (it has a syntax error), b.js (it has a syntax error), c.js');
  expect(text).toContain('7 callers more than are followed');
  expect(text).toContain(
    '643 places; 560 with their collection, 498 read completely; the rest not judged, because the collection of 83 and a part of what 62 ask for is known only when it runs',
  );
});
