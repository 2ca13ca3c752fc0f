import { ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { AnyCheck, CollectionEvidence } from '../../src/check.js';
import { loadConfig } from '../../src/config/load-config.js';
import { testCheck, type CheckCase } from '../../src/lint/test-check.js';
import { index } from '../support/checks/index-builders.js';
import { storage } from '../support/checks/sharded-evidence.js';
import { folderWith } from '../support/config-folder.js';

async function checksOf(files: Readonly<Record<string, string>>): Promise<readonly AnyCheck[]> {
  const { checks } = await loadConfig({ cwd: await folderWith(files), plugins: [] });
  return checks.filter(({ id }) => id.startsWith('house/'));
}

async function ruleOf(text: string): Promise<AnyCheck> {
  const [check] = await checksOf({ 'mongolint.config.yaml': `rules: [{ id: a, reason: We agreed., ${text} }]\n` });
  return check as AnyCheck;
}

const ruleText = (id: string, reason: string) => `- { id: ${id}, reason: ${reason}, name: '.*' }\n`;
const tenant = { _id: new ObjectId(), tenant: new ObjectId(), at: new Date() };
const evidence = (changes: Partial<CollectionEvidence>): Pick<CheckCase, 'evidence'> => ({ evidence: changes });

describe('a house rule', () => {
  it.each<[string, string, Omit<CheckCase, 'name'>, object, Omit<CheckCase, 'name'>]>([
    [
      'demands names',
      "name: '[a-z_]+'",
      { namespace: 'shop.Orders' },
      { path: null, severity: 'warning', message: 'The name of the collection does not match [a-z_]+. We agreed.' },
      { namespace: 'shop.orders_2'.replace('2', 'b') },
    ],
    [
      'demands names by a pattern that another engine would try in all ways',
      "name: '(a+)+'",
      { namespace: `shop.${'a'.repeat(44)}!` },
      { path: null, message: 'The name of the collection does not match (a+)+. We agreed.' },
      { namespace: `shop.${'a'.repeat(45)}` },
    ],
    [
      'demands fields',
      'severity: error, fields: { tenant: [objectId], at: [] }',
      { documents: [tenant, { tenant: new ObjectId() }] },
      { path: 'at', severity: 'error', message: '50 % of the sampled documents lack it (1 of 2). We agreed.' },
      { documents: [tenant, { ...tenant, at: 7 }] },
    ],
    [
      'demands types of fields',
      'fields: { tenant: [objectId, string] }',
      { documents: [tenant, { tenant: 7 }] },
      { path: 'tenant', message: 'It must be objectId or string, and holds int (1 value). We agreed.' },
      { documents: [tenant, { tenant: 'a' }] },
    ],
    [
      'forbids types',
      'forbiddenTypes: [double]',
      { documents: [{ lines: [{ price: 1.5 }] }] },
      { path: 'lines[].price', message: 'It holds double (1 value). We agreed.' },
      { documents: [{ lines: [{ price: 2 }] }, {}] },
    ],
    [
      'demands indexes',
      'indexes: [{ key: { tenant: 1, at: -1 } }]',
      evidence({ indexes: [index({ tenant: 1, at: 1 }), index({ at: -1, tenant: 1 })] }),
      { path: 'tenant_1_at_-1', pathIs: 'missing-index' },
      evidence({ indexes: [index({ tenant: 1, at: -1, total: 1 })] }),
    ],
    [
      'demands unique indexes',
      'indexes: [{ key: { tenant: 1 }, unique: true }]',
      evidence({ indexes: [index({ tenant: 1, at: 1 }, { unique: true }), index({ tenant: 1 })] }),
      { path: 'tenant_1' },
      evidence({ indexes: [index({ tenant: 1 }, { unique: true })] }),
    ],
    [
      'sets limits',
      'maximum: { documents: 10, documentBytes: 1000, indexes: 2 }',
      { ...evidence({ storage: storage({ count: 11 }), indexes: [] }), documents: [{ a: 1 }] },
      { path: null, message: 'Documents: 11, at most 10 are allowed. We agreed.' },
      { ...evidence({ storage: storage({ count: 10 }), indexes: [] }), documents: [{ a: 1 }] },
    ],
    [
      'is about its collections',
      "glob: 'shop.*', maximum: { indexes: 0 }",
      { namespace: 'shop.orders', ...evidence({ indexes: [index({ a: 1 })] }) },
      { path: null },
      { namespace: 'crm.orders', ...evidence({ indexes: [index({ a: 1 })] }) },
    ],
  ])('%s', async (_, text, bad, problem, good) => {
    const check = await ruleOf(text);
    expect(() =>
      testCheck(check, {
        fires: [{ name: 'bad', ...bad, problems: [problem] }],
        silent: [{ name: 'good', ...good }],
      }),
    ).not.toThrow();
  });

  it('needs no more than it demands', async () => {
    expect((await ruleOf("name: '.*'")).needs).toEqual([]);
    expect((await ruleOf('fields: { a: [] }, maximum: { documents: 1 }')).needs).toEqual(['documents', 'storage']);
  });

  it('is shared by a file and by a package; the last one of an id wins, and the own one over both', async () => {
    const checks = await checksOf({
      'mongolint.config.yaml': `extends: ['./team.yaml', '@acme/rules']\nrules:\n${ruleText('c', 'own')}`,
      'team.yaml': `rules:\n${ruleText('a', 'team')}${ruleText('b', 'team')}${ruleText('c', 'team')}`,
      'node_modules/@acme/rules/package.json': '{ "name": "@acme/rules", "version": "1.0.0", "main": "rules.json" }',
      'node_modules/@acme/rules/rules.json': '{ "rules": [{ "id": "b", "reason": "package", "name": ".*" }] }',
    });
    expect(checks.map(({ id, summary }) => `${id} ${summary}`).sort()).toEqual([
      'house/a team',
      'house/b package',
      'house/c own',
    ]);
  });

  it('brings settings of checks with it', async () => {
    const cwd = await folderWith({
      'mongolint.config.yaml': "extends: ['./team.yaml']\nchecks: { deep-nesting: info }\n",
      'team.yaml': 'checks: { deep-nesting: off, mixed-types: off }\n',
    });
    expect((await loadConfig({ cwd, plugins: [] })).settings).toEqual({
      'deep-nesting': { severity: 'info' },
      'mixed-types': { severity: 'off' },
    });
  });

  it.each([
    ["rules: [{ id: a, reason: b, name: '(' }]", '1: rules[0].name: is not a regular expression as RE2 has them'],
    ["rules: [{ id: a, reason: b, name: '(?!tmp_).*' }]", 'without lookaheads and backreferences'],
    [
      'rules: [{ id: a, reason: b }]',
      '1: rules[0]: must say what it demands: name, fields, forbiddenTypes, indexes or maximum',
    ],
    ['rules: [{ id: a, reason: b, feilds: { c: [] } }]', '1: rules[0].feilds: unknown key; did you mean "fields"?'],
    [
      'rules:\n- { id: a, reason: b, name: a }\n- { id: a, reason: b, name: a }',
      '3: rules[1].id: another rule has this id',
    ],
    ["extends: ['./none.yaml']", 'none.yaml'],
  ])('is refused with its line: %s', async (text, expected) => {
    await expect(checksOf({ 'mongolint.config.yaml': `${text}\n` })).rejects.toThrow(expected);
  });
});

describe('testCheck', () => {
  it('names the case, what was expected and what came', async () => {
    const check = await ruleOf('forbiddenTypes: [double]');
    const silent = [{ name: 'whole', documents: [{ a: 1 }] }];
    const fires = [{ name: 'half', documents: [{ a: 0.5 }], problems: [{ path: 'a' }] }];
    expect(() => testCheck(check, { fires, silent: [{ name: 'half', documents: [{ a: 0.5 }] }] })).toThrow(
      'house/a, case "half": expected [], and it returned [{"severity":"warning"',
    );
    expect(() => testCheck(check, { fires: [{ ...fires[0], name: 'x', problems: [{ path: 'b' }] }], silent })).toThrow(
      'case "x"',
    );
    expect(() => testCheck(check, { fires, silent: [{ name: 'nothing' }] })).toThrow(
      'case "nothing": it needs the evidence "documents": give documents, or evidence.',
    );
    expect(() => testCheck(check, { fires: [], silent })).toThrow('give cases that fire');
    expect(() => testCheck(check, { silent } as never)).toThrow('give cases that fire');
  });

  it('names the case whose verdict is none, and the field', async () => {
    const check = { ...(await ruleOf('forbiddenTypes: [double]')), judge: () => [{ severity: 'sever' }] };
    const each = [{ name: 'half', documents: [{ a: 0.5 }], problems: [] }];
    expect(() => testCheck(check as never, { fires: each, silent: each })).toThrow(
      /^house\/a, case "half": verdict 1 at severity: /,
    );
  });
});
