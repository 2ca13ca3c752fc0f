import { describe, expect, it } from 'vitest';
import { renderGithub } from '../../src/report/github.js';
import { ALL_REPORTS, PIPELINE_REPORTS, faultedReport, hostileReport } from '../support/report/pipeline-reports.js';
import { findingOf, reportOf } from '../support/report/sample-report.js';

/** A workflow command as GitHub's runner reads it: version 2 of its syntax, and what it unescapes. */
function parsed(line: string): { command: string; properties: Record<string, string>; message: string } {
  const match = /^::(\w+)(?: (.*?))?::(.*)$/.exec(line);
  if (match === null) throw new Error(`Not a workflow command: ${line}`);
  const [, command = '', properties = '', message = ''] = match;
  const pairs = properties.split(',').map((pair) => {
    const separator = pair.indexOf('=');
    return [
      pair.slice(0, separator),
      unescaped(pair.slice(separator + 1), [
        ['%3A', ':'],
        ['%2C', ','],
      ]),
    ];
  });
  return { command, properties: Object.fromEntries(pairs), message: unescaped(message) };
}

function unescaped(text: string, also: readonly [string, string][] = []): string {
  const all = [['%0D', '\r'], ['%0A', '\n'], ...also, ['%25', '%']] as const;
  return all.reduce((result, [escape, character]) => result.replaceAll(escape, character), text);
}

const linesOf = (text: string) => text.trimEnd().split('\n');

describe('renderGithub', () => {
  it.each(PIPELINE_REPORTS)('renders the %s report as in its golden file', async (name, report) => {
    await expect(renderGithub(report)).toMatchFileSnapshot(`golden/${name}.github.txt`);
  });

  it.each(ALL_REPORTS)('writes commands that the runner reads of the %s report', (_, report) => {
    const lines = linesOf(renderGithub(report)).filter((line) => line !== '');
    expect(['error', 'warning', 'notice']).toEqual(expect.arrayContaining(lines.map((line) => parsed(line).command)));
  });

  it('writes nothing but annotations, whatever names there are', () => {
    const commands = linesOf(renderGithub(hostileReport())).map(parsed);
    expect(new Set(commands.map(({ command }) => command))).toEqual(new Set(['error', 'warning']));
    for (const { properties } of commands.slice(0, -1))
      expect(Object.keys(properties)).toEqual(['title', 'file', 'line']);
  });

  it('gives back what was escaped', () => {
    const finding = findingOf({ namespace: 'shop.a,b:c%2C', path: 'x::y', message: '100 % of a, b: c\\d' });
    const [first = ''] = linesOf(renderGithub(reportOf({ findings: [finding] })));
    expect(parsed(first).properties['title']).toBe('Unbounded array: shop.a,b:c%2C x::y');
    expect(parsed(first).message.split('\n')[0]).toBe('100 % of a, b: c\\d');
  });

  it('annotates no more than GitHub shows of a level, the worst ones, and says so', () => {
    const findings = Array.from({ length: 25 }, (_, index) =>
      findingOf({
        namespace: `shop.c${index}`,
        severity: index % 2 === 0 ? 'error' : 'info',
        confidence: index > 3 ? 'low' : 'high',
      }),
    );
    const commands = linesOf(renderGithub(reportOf({ findings }))).map(parsed);
    const count = (level: string) => commands.filter(({ command }) => command === level).length;
    expect([count('error'), count('notice')]).toEqual([10, 10]);
    expect(commands[0]?.properties['title']).toContain('shop.c0');
    expect(commands.at(-1)?.message).toContain('the worst 19 of 25 findings are annotated');
  });

  it('leaves annotations to the reports of other targets', () => {
    const findings = Array.from({ length: 25 }, (_, index) => findingOf({ namespace: `shop.c${index}` }));
    const commands = linesOf(renderGithub(reportOf({ findings }), { sharedBy: 3 })).map(parsed);
    expect(commands.filter(({ command }) => command === 'error')).toHaveLength(3);
  });

  it('ends in a summary that tells of faults and gaps by its level', () => {
    const reports = [faultedReport(), hostileReport(), reportOf({})];
    const levels = reports.map((report) => parsed(linesOf(renderGithub(report)).at(-1) ?? '').command);
    expect(levels).toEqual(['error', 'warning', 'notice']);
  });

  it('points to the anchor', () => {
    const [first = ''] = linesOf(renderGithub(reportOf({ findings: [findingOf()] }), { anchor: 'ops/baseline.json' }));
    expect(parsed(first).properties).toMatchObject({ file: 'ops/baseline.json', line: '1' });
  });
});
