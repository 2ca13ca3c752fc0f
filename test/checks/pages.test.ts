import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { TABLE_END, TABLE_START, thresholdTable } from './threshold-table.js';

const SECTIONS = ['What it flags', 'Why it hurts', 'How it is judged', 'How to fix it', 'When not to heed it'];

const pageOf = (id: string) => readFileSync(new URL(`../../checks/${id}.md`, import.meta.url), 'utf8');

describe.each(builtInChecks.map((check) => [check.id, check] as const))('the page of %s', (id, check) => {
  const page = pageOf(id);

  it('begins with the id, the title and the summary of the check', () => {
    expect(page.startsWith(`# ${id}\n\n**${check.title}:** ${check.summary}.\n`)).toBe(true);
  });

  it('has all sections, in order', () => {
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, section]) => section)).toEqual(SECTIONS);
  });

  it('shows the thresholds as the check has them', () => {
    const table = page.slice(page.indexOf(TABLE_START), page.indexOf(TABLE_END) + TABLE_END.length);
    expect(table).toBe(thresholdTable(check));
  });
});

describe.each(builtInChecks.map((check) => [check.id, check] as const))('the texts of %s', (_, check) => {
  it.each([check.title, check.summary])('"%s" has no full stop', (text) => {
    expect(text).toMatch(/^\S.*[^.\s]$/);
  });

  it('say what each threshold decides and where it comes from', () => {
    for (const { description, source } of Object.values<{ description: string; source: string }>(check.thresholds)) {
      expect(description).toMatch(/^[a-z0-9].*[^.]$/);
      expect(source).toMatch(/^(judgement|measured|MongoDB|").*[^.]$/);
    }
  });
});
