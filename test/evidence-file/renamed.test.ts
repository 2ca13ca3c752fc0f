import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LINE_SCHEMAS } from '../../src/evidence-file/evidence-lines.js';
import { type Names, renamed, UNCHANGED } from '../../src/evidence-file/renamed.js';
import { fromJson } from '../../src/evidence-file/valid-line.js';
import { packageRoot } from '../../src/files/package-root.js';

const FOLDER = join(packageRoot(), 'test/evidence/recorded/v2');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl.gz'));

type Line = { readonly kind: keyof typeof LINE_SCHEMAS };

function linesOf(file: string): Line[] {
  const text = gunzipSync(readFileSync(join(FOLDER, file))).toString('utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => fromJson(JSON.parse(line)) as Line);
}

const unlessNamespace: Names['of'] = (text, kind) => (kind === 'namespace' ? null : text);

describe.each(FILES)('what is recorded in %s', (file) => {
  const lines = linesOf(file).filter(({ kind }) => kind === 'cluster' || kind === 'operation');

  it('is the same without other names', () => {
    for (const line of lines) expect(renamed(line, LINE_SCHEMAS[line.kind], UNCHANGED)).toEqual(line);
  });

  it('names no collection that the schema does not know as one', () => {
    const namespaces = new Set<string>();
    const namespace = (name: string) => {
      namespaces.add(name);
      return `?${name}`;
    };
    const of: Names['of'] = (text, kind) => (kind === 'namespace' ? namespace(text) : text);
    const texts = lines.map((line) =>
      JSON.stringify(renamed(line, LINE_SCHEMAS[line.kind], { ...UNCHANGED, namespace, of })),
    );
    expect(namespaces.size).toBeGreaterThan(0);
    const left = [...namespaces].filter((name) => texts.some((text) => text.includes(`"${name}"`)));
    expect(left).toEqual([]);
  });

  it('is left out if it is about a collection that is not there', () => {
    for (const line of lines.filter(({ kind }) => kind === 'operation'))
      expect(renamed(line, LINE_SCHEMAS.operation, { ...UNCHANGED, of: unlessNamespace })).toBeNull();
  });
});
