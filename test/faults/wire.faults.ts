import { describe, expect, it } from 'vitest';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { PHASES, type Phase } from '../support/wire/phases.js';
import {
  cutAfter,
  delayed,
  emptyBatches,
  garbage,
  garbageBody,
  swallow,
  trickle,
  wrongDocumentLength,
  wrongMessageLength,
} from '../support/wire/reply-treatments.js';
import type { ReplyTreatment, WireFault } from '../support/wire/wire-fault.js';

// The server is real. Between it and the command stands a proxy that does to replies what each line says.
const faulty = useFaultyShop();

/** What is done to replies, and with which exit codes a run may end if it is done to all of a phase. */
const MODES: readonly { readonly mode: string; readonly reply: ReplyTreatment; readonly exit: readonly number[] }[] = [
  { mode: 'cut after 7 bytes', reply: cutAfter(7), exit: [2] },
  { mode: 'cut after 40 bytes', reply: cutAfter(40), exit: [2] },
  { mode: 'garbage', reply: garbage(), exit: [2] },
  { mode: 'garbage behind the header', reply: garbageBody(), exit: [2] },
  { mode: 'a message length of zero', reply: wrongMessageLength('zero'), exit: [2] },
  { mode: 'a negative message length', reply: wrongMessageLength('negative'), exit: [2] },
  { mode: 'a message length that is too short', reply: wrongMessageLength('too short'), exit: [2] },
  { mode: 'a message length that is too long', reply: wrongMessageLength('too long'), exit: [1, 2] },
  { mode: 'a huge message length', reply: wrongMessageLength('huge'), exit: [1, 2] },
  { mode: 'a document length of zero', reply: wrongDocumentLength('zero'), exit: [2] },
  { mode: 'a negative document length', reply: wrongDocumentLength('negative'), exit: [2] },
  { mode: 'a document length that is too short', reply: wrongDocumentLength('too short'), exit: [2] },
  { mode: 'a document length that is too long', reply: wrongDocumentLength('too long'), exit: [2] },
  { mode: 'a huge document length', reply: wrongDocumentLength('huge'), exit: [2] },
  // The time of a command is up; what rests on others is judged.
  { mode: 'swallowed', reply: swallow(), exit: [1, 2] },
  { mode: 'at 1 KB/s', reply: trickle(1_000), exit: [1, 2] },
  { mode: 'at 20 KB/s', reply: trickle(20_000), exit: [1, 2] },
  { mode: 'delayed by 100 ms', reply: delayed(100), exit: [1] },
];

/** Those in which a run ends with a line but no report, since no collection is known yet. */
const WITHOUT_REPORT: readonly Phase[] = ['hello', 'buildInfo', 'listDatabases'];
/** Those without which there is nothing to lint. */
const ESSENTIAL: ReadonlySet<Phase> = new Set([...WITHOUT_REPORT, 'listCollections']);
/** The driver reads these without end. The process is blocked, and its supervisor ends it after `--max-time`, here in ms. */
const BLOCKING = new Set(['a message length of zero', 'a negative document length']);
const MAX_TIME_IF_BLOCKED = 15_000;
const AT: readonly Phase[] = [
  ...WITHOUT_REPORT,
  'listCollections',
  'listIndexes',
  'collStats',
  'indexStats',
  'sample',
  'getMore',
  'profiler',
  'oplog',
  'serverStatus',
  'getLog',
];

describe.each(AT)('replies in the phase %s', (phase) => {
  it.concurrent.each(MODES)('$mode', async ({ mode, reply, exit }) => {
    const isBlocked = BLOCKING.has(mode);
    const report = !(isBlocked ? ESSENTIAL.has(phase) : WITHOUT_REPORT.includes(phase));
    const noPass = mode === 'swallowed' && ESSENTIAL.has(phase);
    await faulty.lintThroughProxy(
      { exit: noPass ? [2] : exit, report },
      [{ on: PHASES[phase], reply }],
      isBlocked ? { maxTime: MAX_TIME_IF_BLOCKED } : {},
    );
  });
});

const readsMorePapers: WireFault['on'] = (command) =>
  command['getMore'] !== undefined && command['collection'] === 'papers';
const readsPapers: WireFault['on'] = (command) => command['find'] === 'papers' || command['aggregate'] === 'papers';
const samplesPapers: WireFault['on'] = (command) => PHASES.sample(command) && readsPapers(command);
const readsAnyPapers: WireFault['on'] = (command) => samplesPapers(command) || readsMorePapers(command);

/** What happens to one collection leaves the findings of the others as they are. */
describe('what was found elsewhere is kept', () => {
  const keeps = ['shop.threads', 'shop.orders'];
  it.concurrent.each(MODES)('$mode', async ({ mode, reply, exit }) => {
    const isBlocked = BLOCKING.has(mode);
    const expected = { exit, keeps: isBlocked ? [] : keeps, report: true };
    const options = isBlocked ? { maxTime: MAX_TIME_IF_BLOCKED, args: ['--concurrency', '1'] } : {};
    const report = await faulty.lintThroughProxy(expected, [{ on: samplesPapers, reply }], options);
    // A blocked process loses what is under way, and joins. One by one, the orders are judged before the papers are read.
    const found = report?.findings.map(({ check, namespace }) => `${check} ${namespace}`);
    expect(found).toContain('redundant-index shop.orders');
  });

  it.concurrent('batches that never end and never hold a document', async () => {
    await faulty.lintThroughProxy({ exit: [1, 2], keeps, report: true }, [
      { on: readsAnyPapers, reply: emptyBatches() },
    ]);
  });
});

describe('the whole road', () => {
  it.concurrent.each([1_000, 20_000])('at %i bytes per second', async (bytesPerSecond) => {
    await faulty.lintThroughProxy({ exit: [2] }, [], { bytesPerSecond });
  });
});
