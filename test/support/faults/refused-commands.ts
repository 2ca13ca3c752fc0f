import { describe, expect, it } from 'vitest';
import { COLLSTATS_WITHOUT_FIGURES } from '../engines/foreign-engines.js';
import type { WireFault } from '../wire/wire-fault.js';
import { ERROR_CODES, whileRefusing, type ErrorName } from './fail-command.js';
import { useFaultyShop } from './faulty-shop.js';
import { LIMITS, SHORT_LIMITS, type Limits } from './linter-process.js';

/** Errors after which the run is no pass, whatever the command: the server is gone, or failed in an unforeseen way. */
const NO_PASS: ReadonlySet<ErrorName> = new Set(['InternalError', 'AuthenticationFailed']);

/** Commands that everything rests on: without them, nothing can be judged. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  'isMaster',
  'saslContinue',
  'hello',
  'buildInfo',
  'listDatabases',
  'listCollections',
]);

/** A server that can't be said hello to is waited for. */
const LIMITS_OF: Readonly<Record<string, Limits>> = { isMaster: { ...SHORT_LIMITS, timeout: 1_000 } };

/** What must go wrong besides, so that a run sends a command: documents are counted if their number is not told. */
const SENT_IF: Readonly<Record<string, readonly WireFault[]>> = { count: [COLLSTATS_WITHOUT_FIGURES] };

/** Commands whose refusal costs nothing that would be missed. */
const NOT_MISSED: ReadonlySet<string> = new Set(['endSessions', 'connectionStatus', 'profile']);

/** Sent when the run is over, and not waited for: it may come when the fail point is off again. */
const NOT_AWAITED: ReadonlySet<string> = new Set(['endSessions']);

/**
 * A table of real refusals: the server's own fail point refuses each of the commands with each of the codes. On a server of
 * their own, one after another: there is one such fail point.
 */
export function refusesEach(commands: readonly string[]): void {
  const faulty = useFaultyShop();
  describe.each(commands)('a server that refuses %s', (command) => {
    it.each(Object.keys(ERROR_CODES) as ErrorName[])('with %s', async (error) => {
      const expected = { exit: expectedExit(command, error), report: !ESSENTIAL.has(command) };
      const options = { limits: LIMITS_OF[command] ?? LIMITS, sharesProcess: true };
      const { times } = await whileRefusing(faulty.shop.client, command, error, () =>
        faulty.lintThroughProxy(expected, SENT_IF[command] ?? [], options),
      );
      expect(times).toBeGreaterThanOrEqual(NOT_AWAITED.has(command) ? 0 : 1);
    });
  });
}

function expectedExit(command: string, error: ErrorName): readonly number[] {
  if (ESSENTIAL.has(command)) return [2];
  // Which of them follows from what is skipped, and is asserted from that.
  return NO_PASS.has(error) && !NOT_MISSED.has(command) ? [2] : [0, 1, 2];
}
