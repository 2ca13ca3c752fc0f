import { describe, expect, it } from 'vitest';
import { LintError } from '../../src/lint-error.js';
import { renderCompact } from '../../src/report/compact.js';
import { REPORT_FORMATS, renderReport, type ReportFormat } from '../../src/report/formats.js';
import { renderGithub } from '../../src/report/github.js';
import { renderGitlab } from '../../src/report/gitlab.js';
import { renderHtml } from '../../src/report/html/html-report.js';
import { renderJson } from '../../src/report/json.js';
import { renderJunit } from '../../src/report/junit.js';
import { renderMarkdown } from '../../src/report/markdown.js';
import { renderMigration } from '../../src/report/migration.js';
import { renderMongosh } from '../../src/report/mongosh.js';
import { renderPrometheus } from '../../src/report/prometheus.js';
import { RENDER_DEFAULTS } from '../../src/report/report-options.js';
import { renderSarif } from '../../src/report/sarif.js';
import { renderTable } from '../../src/report/table.js';
import { renderTargetReports } from '../../src/report/target-reports.js';
import { richReport } from '../support/report/rich-report.js';

const report = richReport();

const RENDERED = {
  table: renderTable(report, { width: 120, color: false }),
  compact: renderCompact(report),
  json: renderJson(report),
  markdown: renderMarkdown(report),
  html: renderHtml(report),
  sarif: renderSarif(report),
  junit: renderJunit(report),
  github: renderGithub(report),
  gitlab: renderGitlab(report),
  mongosh: renderMongosh(report),
  migration: renderMigration(report),
  prometheus: renderPrometheus(report),
};

describe('renderReport', () => {
  it.each(Object.entries(RENDERED))('renders %s as its renderer does', async (format, text) => {
    expect(await renderReport(report, format)).toBe(text);
  });

  it('passes the options on', async () => {
    expect(await renderReport(report, 'table', { width: 70, quiet: true })).toBe(
      renderTable(report, { width: 70, color: false, quiet: true }),
    );
    expect(await renderReport(report, 'gitlab', { anchor: 'ops/lint.yaml' })).toBe(
      renderGitlab(report, { anchor: 'ops/lint.yaml' }),
    );
  });

  it('renders a format of your own, with every option filled in', async () => {
    const format: ReportFormat = {
      name: 'columns',
      description: 'the options, for a test',
      extension: 'txt',
      render: ({ tool }, options) => JSON.stringify([tool.name, options]),
    };
    expect(JSON.parse(await renderReport(report, format, { color: true }))).toEqual([
      'mongolint',
      { ...RENDER_DEFAULTS, color: true },
    ]);
  });

  it('refuses a name that it does not know, and lists those that it knows', async () => {
    await expect(renderReport(report, 'pdf')).rejects.toThrow(
      new LintError(`Unknown format "pdf": use ${Object.keys(RENDERED).join(', ')}.`),
    );
  });
});

describe('the formats', () => {
  it('have names in kebab-case, and extensions without the dot', () => {
    for (const { name, extension } of REPORT_FORMATS) {
      expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(extension).toMatch(/^[a-z]+$/);
    }
    expect(new Set(REPORT_FORMATS.map(({ name }) => name)).size).toBe(REPORT_FORMATS.length);
  });

  it.each(REPORT_FORMATS)('say that a run failed: $name', async ({ render }) => {
    const failed = { ...report, failures: [{ reason: 'connection' as const, detail: 'the connection was lost.' }] };
    const whole = { ...report, failures: [] };
    expect(await render(failed, RENDER_DEFAULTS)).not.toBe(await render(whole, RENDER_DEFAULTS));
  });

  it('say which of them hold the reports of several targets', async () => {
    const targets = [
      { alias: 'orders', report },
      { alias: 'unknown', report: null },
      { alias: 'down', report: null, failed: { target: 'down', message: 'down: No usable server.', at: new Date(0) } },
      { alias: 'stock', report },
    ];
    const options = { ...RENDER_DEFAULTS, width: 100 };
    const texts = await Promise.all(
      REPORT_FORMATS.map(async ({ name, renderTargets }) => [name, await renderTargets?.(targets, options)] as const),
    );
    const one = renderTable(report, options);
    expect(Object.fromEntries(texts.filter(([, text]) => text !== undefined))).toEqual({
      table: `${one}\ndown: No usable server.\n\n${one}`,
      compact: [renderCompact(report), 'down: No usable server.\n', renderCompact(report)].join('\n'),
      json: renderTargetReports(targets),
      markdown: [
        renderMarkdown(report, { sharedBy: 3 }),
        '<!-- mongolint -->\n### mongolint of `down`\n\ndown: No usable server.\n',
        renderMarkdown(report, { sharedBy: 3 }),
      ].join('\n'),
      github: [
        renderGithub(report, { sharedBy: 3 }),
        '::error title=mongolint::down: No usable server.\n',
        renderGithub(report, { sharedBy: 3 }),
      ].join('\n'),
    });
  });
});
