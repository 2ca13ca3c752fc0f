import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { flagsOfShortRuns } from '../../src/cli/v8-settings.js';

describe('the flags of short runs', () => {
  it.each([
    ['20.19.0', ['--interrupt-budget=540672']],
    ['22.12.0', ['--invocation-count-for-turbofan=12000', '--semi-space-growth-factor=4']],
    ['24.1.0', ['--invocation-count-for-maglev=10000']],
    ['2.2.0', []],
  ])('on Node %s are %s', (version, flags) => {
    expect(flagsOfShortRuns(version)).toEqual(flags);
  });

  it('are known to this Node, as are those which spare memory and keep what was compiled', () => {
    const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    for (const flag of flagsOfShortRuns(process.versions.node)) expect(known).toContain(flag.split('=')[0]);
    expect(known).toContain('--heap-growing-percent ');
    expect(known).toContain('--flush-bytecode ');
  });
});
