import { describe, expect, it } from 'vitest';
import { reportedRemedy } from '../../src/findings/stamp.js';
import { findingLines } from '../../src/report/finding-text.js';
import { findingView } from '../../src/report/finding-view.js';
import { shownSteps } from '../../src/report/remedy-steps.js';
import { findingOf } from '../support/report/sample-report.js';

const command = { db: 'shop', command: { collMod: 'a' } };
const STATEMENT = 'db.getSiblingDB("shop").runCommand({ collMod: "a" });';

describe('shownSteps', () => {
  it('puts a command without a text to the step before', () => {
    const steps = shownSteps(
      reportedRemedy({
        steps: [
          { text: 'First.', command },
          { text: '', command },
          { text: 'Then.', code: 'x' },
        ],
      }),
    );
    expect(steps.map(({ text, blocks }) => [text, blocks.map((block) => block.lines(80))])).toEqual([
      ['First.', [[STATEMENT], [STATEMENT]]],
      ['Then.', [['x']]],
    ]);
  });

  it('tells statements of mongosh from other code, and commands from what is not the fix', () => {
    const code = ['db.orders.find();', '{ $push: { a: 1 } }', 'mongolint shard-key shop.orders'];
    const steps = shownSteps(
      reportedRemedy({ steps: [{ text: 'a', command }, ...code.map((each) => ({ text: 'b', code: each }))] }),
    );
    expect(steps.flatMap(({ blocks }) => blocks).map(({ isCommand, isMongosh }) => [isCommand, isMongosh])).toEqual([
      [true, true],
      [false, true],
      [false, false],
      [false, false],
    ]);
  });

  it('shows in code what would act on a terminal', () => {
    const [step] = shownSteps(reportedRemedy({ steps: [{ text: 'a', code: 'db.a.find(\n  "\u001b[31m\u202e"\n);' }] }));
    expect(step?.blocks[0]?.lines(80)).toEqual(['db.a.find(', String.raw`  "\x1B[31m\u{202E}"`, ');']);
  });
});

function linesOf(remedy: Parameters<typeof reportedRemedy>[0]): string[] {
  return findingLines(findingView(findingOf({ remedy: reportedRemedy(remedy) }))).slice(3, -1);
}

describe('findingLines', () => {
  it('writes one step behind the word', () => {
    expect(linesOf({ steps: [{ text: 'Hide it.', command }] })).toEqual(['Remedy: Hide it.', `    ${STATEMENT}`]);
  });

  it('numbers several', () => {
    expect(linesOf({ steps: [{ text: 'Hide it.', command }, { text: 'Drop it.' }] })).toEqual([
      'Remedy:',
      '1. Hide it.',
      `    ${STATEMENT}`,
      '2. Drop it.',
    ]);
  });
});
