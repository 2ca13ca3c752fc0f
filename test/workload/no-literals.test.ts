import * as fc from 'fast-check';
import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { executionOf } from '../../src/workload/operations/execution.js';
import { LogContext, slowQueryOf } from '../../src/workload/sources/slow-query.js';
import { MARKER, recordedCommands } from '../support/workload/random-commands.js';

const SEED = 20_261_121;
const RUNS = 500;

/** Names of applications and users are kept: they say who to talk to. Network addresses are not, unless values are shown. */
describe('no literal value survives', () => {
  const options = { seed: SEED, numRuns: RUNS };

  it('from a profiler entry', () => {
    fc.assert(
      fc.property(recordedCommands, (recorded) => {
        const execution = executionOf({
          fields: {
            ns: 'shop.orders',
            command: recorded.command,
            planSummary: 'IXSCAN { total: 1 }',
            appName: 'shop',
            client: MARKER,
          },
          operation: recorded.operation,
          at: 0,
          milliseconds: 5,
          responseBytes: 5,
          user: 'app@admin',
          truncated: false,
        });
        expect(execution).toMatchObject({ shape: { namespace: 'shop.orders' } });
        expect(JSON.stringify(execution)).not.toContain(MARKER);
      }),
      options,
    );
  });

  it('from a log line', () => {
    fc.assert(
      fc.property(recordedCommands, ({ operation, command: recorded }) => {
        const attr = {
          type: operation,
          ns: 'shop.orders',
          appName: 'shop',
          command: BSON.EJSON.serialize(recorded),
          remote: MARKER,
          durationMillis: 5,
        };
        const line = `{"t":{"$date":"2026-11-21T03:28:55.116+00:00"},"s":"I","msg":"Slow query","attr":${JSON.stringify(attr)}}`;
        const { execution } = slowQueryOf(line, new LogContext());
        expect(execution).toMatchObject({ shape: { namespace: 'shop.orders' } });
        expect(JSON.stringify(execution)).not.toContain(MARKER);
      }),
      options,
    );
  });
});
