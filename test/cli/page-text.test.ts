import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { pageText } from '../../src/cli/catalogue-commands.js';
import { checkPage } from '../../src/report/check-page.js';

const words = (text: string) =>
  text
    .replace(/^- /gm, '')
    .split(/\s+/)
    .filter((word) => word !== '');

describe('the page of a check on a terminal', () => {
  it.each(builtInChecks.map((check) => [check.id, check] as const))(
    'of %s keeps to the columns, and every word',
    (id, check) => {
      const markdown = checkPage(id)?.markdown ?? '';
      const [narrow, wide] = [60, 96].map((columns) => pageText(markdown, columns)) as [string, string];
      const prose = narrow
        .replace(/^```[^]*?^```$/gm, '')
        .split('\n')
        .filter((line) => !/^[|#]/.test(line));
      // A single word may be longer than a line.
      expect(prose.filter((line) => line.length > 60 && line.replace(/^- /, '').trim().includes(' '))).toEqual([]);
      expect(words(narrow)).toEqual(words(wide));
      expect(narrow).not.toContain('<!--');
      for (const name of Object.keys(check.thresholds)) expect(narrow).toContain(`- \`${name}\`, `);
      const code = markdown.match(/^```[^]*?^```$/gm) ?? [];
      for (const block of code) expect(narrow).toContain(block);
    },
  );

  it('breaks lists under their marks, and leaves tables as they are', () => {
    const markdown = '# a-check\n\nOne two\nthree.\n\n- four five\n  six seven\n- eight\n\n| a | b |\n| --- | --- |\n';
    expect(pageText(markdown, 12)).toBe(
      '# a-check\n\nOne two\nthree.\n\n- four five\n  six seven\n- eight\n\n| a | b |\n| --- | --- |\n',
    );
    expect(pageText(markdown, 40)).toContain('One two three.\n\n- four five six seven\n- eight\n');
  });

  it('keeps steps apart', () => {
    expect(pageText('First:\n\n1. one two\n   three\n10. four five\n', 12)).toBe(
      'First:\n\n1. one two\n   three\n10. four\n    five\n',
    );
  });
});
