import { z } from 'zod';
import type { AnyCheck } from '../check.js';
import { findingSchema } from '../finding.js';
import { remedySchema } from '../finding/remedy.js';
import { VerdictFault } from '../findings/run-checks.js';
import { formatCount } from '../format.js';
import type { IndexProposal } from '../inventory/index-proposal.js';
import { SKIP_REASONS } from '../presence.js';
import { issuesOf, type SchemaIssue } from '../text/schema-issues.js';
import type { Operation } from '../workload/workload.js';

const { severity, severityIfSure, confidence, path, pathIs, message, evidence, lookFor, judgedAt, locations } =
  findingSchema.shape;
const remedy = remedySchema.pick({ steps: true });
const namespace = z.string().min(1).optional();

const indexProposalSchema = z.object({
  namespace: z.string().min(1),
  action: z.enum(['create', 'unhide']),
  name: z.string().min(1),
  key: z.record(z.string(), z.union([z.number(), z.string()])),
  options: z.object({ collation: z.record(z.string(), z.unknown()).optional(), sparse: z.literal(true).optional() }),
  documents: z.number().nullable(),
  supersedes: z.array(z.string()),
  cost: z
    .object({
      entries: z.number(),
      areEntriesEstimated: z.boolean(),
      size: z.object({ estimate: z.number(), least: z.number(), most: z.number() }).nullable(),
      supersededBytes: z.number().nullable(),
    })
    .exactOptional(),
}) satisfies z.ZodType<Omit<IndexProposal, 'options'>>;

const proposes = z.array(indexProposalSchema).optional();
const causedBy = z.string().min(1).optional();
const operations = z.array(z.custom<Operation>((value) => typeof value === 'object' && value !== null)).optional();

const gapSchema = z.object({
  notJudged: z.enum(SKIP_REASONS),
  detail: z.string().min(1),
  nothingJudged: z.literal(true).optional(),
  namespace,
});

const exemptSchema = z.object({ exempt: z.string().min(1), path: z.string().min(1), namespace });

const problemSchema = z.object({
  severity,
  severityIfSure,
  confidence,
  path,
  pathIs,
  message,
  evidence,
  locations,
  lookFor,
  remedy,
  judgedAt,
  proposes,
  proposesInPart: z.literal(true).optional(),
  causedBy,
  operations,
  namespace,
});

/** Most that one judgement gives: a report of as many takes seconds to write, and nobody reads it. */
const MOST_VERDICTS = 10_000;

/**
 * A check from elsewhere must not break the report: if its verdicts are malformed it throws, and is `skipped`.
 *
 * @throws VerdictFault that names the field; other keys than those of the contract are dropped
 */
export function withParsedVerdicts(check: AnyCheck): AnyCheck {
  const judge = (...of: unknown[]) => {
    freeze(of[0]);
    const verdicts = (check.judge as (...args: unknown[]) => unknown).apply(check, of);
    // A promise is malformed. If it is rejected later, that must not end the process.
    Promise.resolve(verdicts).catch(() => undefined);
    if (!Array.isArray(verdicts)) throw new VerdictFault('it must return a list of verdicts');
    if (verdicts.length > MOST_VERDICTS)
      throw new VerdictFault(
        `${formatCount(verdicts.length)} verdicts, at most ${formatCount(MOST_VERDICTS)} are taken`,
      );
    return verdicts.map(parsedVerdict);
  };
  return { ...check, judge } as AnyCheck;
}

/** Other checks judge by the same facts: a change to them fails where it is made. */
function freeze(facts: unknown): void {
  if (facts instanceof Map) for (const value of facts.values()) freeze(value);
  if (typeof facts !== 'object' || facts === null || Object.isFrozen(facts)) return;
  if (!Array.isArray(facts) && Object.getPrototypeOf(facts) !== Object.prototype) return;
  for (const value of Object.values(Object.freeze(facts))) freeze(value);
}

function parsedVerdict(verdict: unknown, index: number): unknown {
  const isOf = (key: string) => typeof verdict === 'object' && verdict !== null && key in verdict;
  const schema = isOf('notJudged') ? gapSchema : isOf('exempt') ? exemptSchema : problemSchema;
  const { data, error } = schema.safeParse(verdict);
  if (error === undefined) return data;
  const [{ path: at, message: wrong }] = issuesOf(error) as [SchemaIssue];
  const field = at.length === 0 ? '' : ` at ${at.join('.')}`;
  throw new VerdictFault(`verdict ${index + 1}${field}: ${wrong}`);
}
