import { describe, expect, it } from 'vitest';
import {
  type CollectedTracedEvidence,
  errorCodesOf,
  errorCodesOfCluster,
} from '../../src/evidence/cluster-evidence.js';
import { absent, present } from '../../src/presence.js';

const refused = (code: number) => ({ ...absent('unsupported', 'refused.'), code });

describe('the codes of errors that kept evidence from being collected', () => {
  it('are those of absent pieces', () => {
    const pieces = {
      storage: present(1),
      indexes: refused(8000),
      sample: absent('bound', 'no code.'),
      none: undefined,
    };
    expect(errorCodesOf(pieces)).toEqual([8000]);
  });

  it('are those of every source of the workload, of its counters and of gaps', () => {
    const source = present({ parts: [], gaps: [refused(2)] });
    const evidence = {
      server: present({ version: '6.0.5' }),
      workload: present({
        sources: { profiler: refused(1), queryStats: source, logFile: source, recentLog: source, routerLog: source },
        counters: refused(3),
      }),
      references: refused(4),
      children: present({ families: [], gaps: [refused(5), absent('bound', 'no code.')] }),
    } as unknown as CollectedTracedEvidence;
    expect([...new Set(errorCodesOfCluster(evidence))].sort()).toEqual([1, 2, 3, 4, 5]);
    expect(errorCodesOfCluster({})).toEqual([]);
  });
});
