import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import type { ExpectedOutcome } from '../support/faults/expect-fault-handled.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { LIMITS, SHORT_LIMITS, type Limits } from '../support/faults/linter-process.js';
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

interface Mode {
  readonly mode: string;
  readonly reply: ReplyTreatment;
  /** With which exit codes a run may end if this is done to all replies of a phase. */
  readonly exit: readonly number[];
  /** True if the connection goes on to be used, and what is read next on it suffers too, of whichever collection. */
  readonly lasts?: true;
}

/** After these, the rest of a reply is waited for until the time of its command is up: that is no fault by itself. */
const WAITING: readonly Mode[] = [
  { mode: 'a message length that is too long', reply: wrongMessageLength('too long'), exit: [0, 1, 2] },
  { mode: 'a huge message length', reply: wrongMessageLength('huge'), exit: [0, 1, 2] },
  { mode: 'swallowed', reply: swallow(), exit: [0, 1, 2] },
  { mode: 'at 1 KB/s', reply: trickle(1_000), exit: [0, 1, 2], lasts: true },
  { mode: 'at 20 KB/s', reply: trickle(20_000), exit: [0, 1, 2], lasts: true },
];

const BREAKING: readonly Mode[] = [
  { mode: 'cut after 7 bytes', reply: cutAfter(7), exit: [2] },
  { mode: 'cut after 40 bytes', reply: cutAfter(40), exit: [2] },
  { mode: 'garbage', reply: garbage(), exit: [2] },
  { mode: 'garbage behind the header', reply: garbageBody(), exit: [2] },
  { mode: 'a negative message length', reply: wrongMessageLength('negative'), exit: [2] },
  { mode: 'a message length that is too short', reply: wrongMessageLength('too short'), exit: [2] },
  { mode: 'a document length of zero', reply: wrongDocumentLength('zero'), exit: [2] },
  { mode: 'a document length that is too short', reply: wrongDocumentLength('too short'), exit: [2] },
  { mode: 'a document length that is too long', reply: wrongDocumentLength('too long'), exit: [2] },
  { mode: 'a huge document length', reply: wrongDocumentLength('huge'), exit: [2] },
  { mode: 'delayed by 100 ms', reply: delayed(100), exit: [1] },
];

/** The driver reads these without end: the process is blocked, and the one that watches it ends it. */
const BLOCKING: readonly Mode[] = [
  { mode: 'a message length of zero', reply: wrongMessageLength('zero'), exit: [2] },
  { mode: 'a negative document length', reply: wrongDocumentLength('negative'), exit: [2] },
];

/** Those in which a run ends with a line but no report, since no collection is known yet. */
const WITHOUT_REPORT: readonly Phase[] = ['hello', 'buildInfo', 'listDatabases'];
/** Those without which there is nothing to lint. */
const ESSENTIAL: ReadonlySet<Phase> = new Set([...WITHOUT_REPORT, 'listCollections']);
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

function expectedOf({ mode, exit }: Mode, phase: Phase): ExpectedOutcome {
  const noPass = mode === 'swallowed' && ESSENTIAL.has(phase);
  // A batch that is lost is read again, from the beginning, where one batch may hold all.
  const mayRecover = phase === 'getMore' ? ([1, 2] as const) : exit;
  return { exit: noPass ? [2] : mayRecover, report: !WITHOUT_REPORT.includes(phase) };
}

function limitsOf({ mode }: Mode, phase: Phase): Limits {
  // A server that can't be said hello to is waited for.
  const isWaiting = phase === 'hello' || WAITING.some((each) => each.mode === mode);
  return isWaiting ? SHORT_LIMITS : LIMITS;
}

// What is done to a reply acts within a run: all modes in all phases, in a process that the runs share.
describe.concurrent('replies', () => {
  const cases = AT.flatMap((phase) => [...WAITING, ...BREAKING].map((mode) => ({ ...mode, phase })));
  it.each(cases)('$mode, in the phase $phase', async ({ phase, ...mode }) => {
    const options = { limits: limitsOf(mode, phase), sharesProcess: true };
    await faulty.lintThroughProxy(expectedOf(mode, phase), [{ on: PHASES[phase], reply: mode.reply }], options);
  });
});

// What comes of it ends a process: each mode and each phase, in a process of its own.
describe.concurrent('replies to the built command', () => {
  const cases = [...WAITING, ...BREAKING].map((mode, index) => ({ ...mode, phase: AT[index % AT.length] as Phase }));
  it.each(cases)('$mode, in the phase $phase', async ({ phase, ...mode }) => {
    const options = { limits: limitsOf(mode, phase) };
    await faulty.lintThroughProxy(expectedOf(mode, phase), [{ on: PHASES[phase], reply: mode.reply }], options);
  });
});

const readsMorePapers: WireFault['on'] = (command) =>
  command['getMore'] !== undefined && command['collection'] === 'papers';
const readsPapers: WireFault['on'] = (command) => command['find'] === 'papers' || command['aggregate'] === 'papers';
const samplesPapers: WireFault['on'] = (command) => PHASES.sample(command) && readsPapers(command);
const readsAnyPapers: WireFault['on'] = (command) => samplesPapers(command) || readsMorePapers(command);

/** Collections that are read whole have further batches. */
const WHOLE = ['--sample-bytes', '20000000'];

// The driver reads every message in the same place. What differs is how far the run was: before the server or the collections
// are known, between collections, behind them.
describe.concurrent('replies that block the process', () => {
  const cases = [
    { mode: 0, when: 'the first reply', on: PHASES.hello, report: false },
    { mode: 1, when: 'the list of collections', on: PHASES.listCollections, report: false },
    { mode: 0, when: 'a later batch', on: readsMorePapers, report: true, mayRecover: true, args: WHOLE },
    { mode: 1, when: 'the documents of one collection', on: samplesPapers, report: true },
  ];
  it.each(cases)('$when', async ({ mode, on, report: hasReport, mayRecover, args = [] }) => {
    const { reply, exit: always } = BLOCKING[mode] as Mode;
    const exit = mayRecover === true ? ([1, 2] as const) : always;
    // One by one, the orders are judged before the papers are read. What was under way is lost, and so are joins.
    const options = { limits: SHORT_LIMITS, args: ['--concurrency', '1', ...args] };
    const report = await faulty.lintThroughProxy({ exit, report: hasReport }, [{ on, reply }], options);
    const kept = hasReport ? ['redundant-index shop.orders'] : [];
    expect(report === null ? [] : foundIn(report)).toEqual(expect.arrayContaining(kept));
  });
});

/** What happens to one collection leaves the findings of the others as they are. */
describe.concurrent('what was found elsewhere is kept', () => {
  const keeps = ['shop.threads', 'shop.orders'];
  const modes = [...WAITING, ...BREAKING];
  it.each(modes.filter(({ lasts }) => lasts !== true))('$mode', async ({ reply, exit }) => {
    const options = { sharesProcess: true };
    const report = await faulty.lintThroughProxy(
      { exit, keeps, report: true },
      [{ on: samplesPapers, reply }],
      options,
    );
    expect(foundIn(report as Report)).toContain('redundant-index shop.orders');
  });

  it.each(modes.filter(({ lasts }) => lasts === true))(
    'but for another read on its connection: $mode',
    async (mode) => {
      const { reply, exit } = mode;
      const options = { sharesProcess: true };
      const report = await faulty.lintThroughProxy({ exit, report: true }, [{ on: samplesPapers, reply }], options);
      const late = new Set((report as Report).skipped.flatMap(lateIn));
      expect(late.size).toBeLessThanOrEqual(2);
      const kept = ['unbounded-array shop.threads', 'redundant-index shop.orders'];
      expect(foundIn(report as Report)).toEqual(
        expect.arrayContaining(kept.filter((each) => !late.has(each.split(' ')[1] as string))),
      );
    },
  );

  it('batches that never end and never hold a document', async () => {
    const fault = { on: readsAnyPapers, reply: emptyBatches() };
    await faulty.lintThroughProxy({ exit: [1, 2], keeps, report: true }, [fault], { sharesProcess: true });
  });
});

/** Collections whose documents did not come in time, or not at all. */
function lateIn({ reason, detail, namespace, namespaces = [] }: Report['skipped'][number]): string[] {
  const isOfDocuments = (reason === 'timeout' || reason === 'fault') && detail.startsWith('reading documents of ');
  return isOfDocuments ? [...namespaces, ...(namespace === undefined ? [] : [namespace])] : [];
}

function foundIn({ findings }: Report): string[] {
  return findings.map(({ check, namespace }) => `${check} ${namespace}`);
}

describe.concurrent('the whole road', () => {
  it.each([1_000, 20_000])('at %i bytes per second', async (bytesPerSecond) => {
    await faulty.lintThroughProxy({ exit: [0, 1, 2] }, [], { bytesPerSecond, limits: SHORT_LIMITS });
  });

  it('that carries no document of two collections', async () => {
    // Each takes longer than its read may, and the run has time left.
    const report = await faulty.lintThroughProxy(
      { exit: [2], report: true, within: ['shop.pages', 'shop.papers'] },
      [],
      {
        bytesPerSecond: 20_000,
        args: ['--include', 'shop.{pages,papers}'],
        limits: { maxTime: 60_000, timeout: 2_000 },
      },
    );
    const { failures, collections } = report as Report;
    expect(collections.map(({ sampled }) => sampled)).toEqual([null, null]);
    expect(failures).toMatchObject([{ reason: 'documents-missing' }]);
  });
});
