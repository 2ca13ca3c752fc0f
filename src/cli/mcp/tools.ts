import { z } from 'zod';
import type { Finding } from '../../finding.js';
import { LintError } from '../../lint-error.js';
import { SEVERITIES } from '../../severity.js';
import { didYouMean } from '../../spelling.js';
import { pageOf } from '../catalogue-commands.js';
import { fingerprintOf } from '../last-report.js';
import { comparisonOf, explainedFinding, lineOfFinding, pageOfList, summaryOf } from './answers.js';
import type { McpSession } from './session.js';

/** Entries of one page, unless the client asks for fewer. Judgement: what a person would read before narrowing down. */
const MOST_ENTRIES = 50;
const FEW_ENTRIES = 10;

/** A tool: what it takes, and what it answers. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodRawShape;
  /** @throws LintError for what a client can put right */
  answer(given: never, signal: AbortSignal): Promise<object>;
}

const paging = {
  offset: z.int().nonnegative().default(0).describe('Entries to leave out: `next` of the page before.'),
  limit: z.int().min(1).max(MOST_ENTRIES).default(FEW_ENTRIES).describe('Entries of this page, at most.'),
};

/** Documents that a client writes down: only types and names of them are used. */
const document = z.record(z.string(), z.unknown());

/** The tools that a session can serve: names are those of its targets and files, so that a client can't name others. */
export function toolsOf(session: McpSession): Tool[] {
  const { targets, evidence, names } = session;
  const of = nameOf(names, 'A target that was linted in this session, or a file.');
  return [
    ...(targets.length === 0 ? [] : [lintTool(session)]),
    tool(
      'findings',
      'Lists findings, the worst first, by page: anti-patterns of schema, indexes and queries, with figures.',
      {
        of,
        severity: z.enum(SEVERITIES).optional().describe('Only these.'),
        check: z.string().optional().describe('Only those of a check, by its id.'),
        namespace: z.string().optional().describe('Only those of a collection, as database.collection.'),
        suppressed: z.boolean().default(false).describe('Whether suppressed ones are listed, too.'),
        ...paging,
      },
      async ({ of: name, severity, check, namespace, suppressed, offset, limit }) => {
        const { findings } = await session.report(name);
        const wanted = findings.filter(
          (finding) =>
            (severity === undefined || finding.severity === severity) &&
            (check === undefined || finding.check === check) &&
            (namespace === undefined || finding.namespace === namespace) &&
            (suppressed || finding.suppressed === undefined),
        );
        return pageOfList(wanted.map(lineOfFinding), offset, limit);
      },
    ),
    tool(
      'explain',
      'Explains a finding by its fingerprint (evidence, steps of the remedy with their commands), or a check by its id.',
      {
        of: of.optional(),
        fingerprint: z.string().optional().describe('Of a finding of `of`, or its first seven digits.'),
        check: z.string().optional().describe('Id of a check: answers with its page.'),
      },
      async ({ of: name, fingerprint, check }) => {
        if (check !== undefined) return { check, page: pageOf(knownCheck(session, check)) };
        if (name === undefined || fingerprint === undefined)
          throw new LintError('Give `of` and `fingerprint`, or `check`.');
        const { findings } = await session.report(name);
        const whole = fingerprintOf(fingerprint, findings, { whose: name, hint: 'call findings' });
        return explainedFinding(findings.find((each) => each.fingerprint === whole) as Finding);
      },
    ),
    tool(
      'top_shapes',
      'Lists the recorded operations that cost most, without values: their share, what they examine and return, and their findings.',
      { of, ...paging },
      async ({ of: name, offset, limit }) => {
        const { topShapes = [], recorded = [] } = await session.report(name);
        return { recorded, ...pageOfList(topShapes, offset, limit) };
      },
    ),
    ...(evidence.length === 0 ? [] : [indexTool(session)]),
    ...(names.length - targets.length < 2 ? [] : [compareTool(session)]),
  ];
}

function lintTool(session: McpSession): Tool {
  return tool(
    'lint',
    'Lints a target of the configuration, read-only, which takes seconds to minutes, and answers with a summary. Ask `findings` for the list.',
    { target: nameOf(session.targets, 'A target of the configuration, by its name.') },
    async ({ target }, signal) => {
      const report = await session.lint(target, signal);
      return { ...summaryOf(report), worst: report.findings.slice(0, FEW_ENTRIES / 2).map(lineOfFinding) };
    },
  );
}

function indexTool(session: McpSession): Tool {
  return tool(
    'would_be_indexed',
    'Whether an index would serve an operation that nobody has run yet, at the size that a file of evidence was collected at (production, as a rule): which index, or how many documents it would examine, and the index to create. Values are ignored: write "?string", "?number", "?date" or "?objectId".',
    {
      evidence: nameOf(session.evidence, 'A file of evidence.'),
      namespace: z.string().describe('database.collection'),
      filter: document.optional().describe('As for find().'),
      sort: z
        .record(z.string(), z.union([z.literal(1), z.literal(-1)]))
        .optional()
        .describe('As for sort().'),
      limit: z.int().positive().optional(),
      collation: document.optional(),
      pipeline: z.array(document).optional().describe('Of an aggregation, in place of filter, sort and limit.'),
    },
    ({ evidence: name, ...asked }) => session.wouldBeIndexed(name, asked),
  );
}

function compareTool(session: McpSession): Tool {
  const file = nameOf(
    session.names.filter((name) => !session.targets.includes(name)),
    'A file of evidence, or a report.',
  );
  return tool(
    'compare',
    'Compares two files of one cluster, or of two like it: what is new, worse, fixed and gone; of two files of evidence also which indexes, validators and types differ.',
    { old: file, new: file, ...paging },
    async ({ old, new: newer, offset, limit }) => comparisonOf(await session.compare(old, newer), offset, limit),
  );
}

function nameOf(names: readonly string[], description: string) {
  return (names.length === 0 ? z.never() : z.enum(names as [string, ...string[]])).describe(description);
}

function knownCheck(session: McpSession, id: string) {
  const check = session.check(id);
  if (check !== undefined) return check;
  const ids = session.checks.map((each) => each.id);
  throw new LintError(`There is no check of this id${didYouMean(id, ids) || ': the resources list them.'}`);
}

function tool<Input extends z.ZodRawShape>(
  name: string,
  description: string,
  input: Input,
  answer: (given: z.output<z.ZodObject<Input>>, signal: AbortSignal) => Promise<object>,
): Tool {
  return { name, description, input, answer };
}
