import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { optimizingFlag } from '../../src/cli/v8-settings.js';

describe('optimizingFlag', () => {
  it.each([
    ['20.19.0', '--interrupt-budget=540672'],
    ['22.12.0', '--invocation-count-for-turbofan=12000'],
    ['24.1.0', '--invocation-count-for-maglev=10000'],
    ['2.2.0', null],
  ])('of Node %s is %s', (version, flag) => {
    expect(optimizingFlag(version)).toBe(flag);
  });

  it('is one that this Node knows, as are those which spare memory and keep what was compiled', () => {
    const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    const [name = '--'] = optimizingFlag(process.versions.node)?.split('=') ?? [];
    expect(known).toContain(name);
    expect(known).toContain('--heap-growing-percent ');
    expect(known).toContain('--flush-bytecode ');
  });
});
