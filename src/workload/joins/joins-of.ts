import type { Document } from 'mongodb';
import { GIVEN_DOCUMENTS, isObjectShape, type ObjectShape, type PipelineShape, type Shape } from '../shapes/shape.js';
import { conditionsOf, correlationOf, indexability } from './correlation.js';
import type { Join, JoinForm, JoinKey, Origin } from './join.js';
import {
  after,
  joinPosition,
  openScope,
  referencesOf,
  type Scope,
  stageOf,
  stagesOf,
  type Variable,
  type Views,
} from './references.js';
import { DEEPEST_NESTING, originOf, traceField } from './trace.js';

export interface JoinContext {
  readonly namespace: string;
  readonly views: Views;
  readonly collation?: Document;
}

/** Views of views that join can multiply joins without end. No pipeline that answers in time has as many. */
const MOST_JOINS = 1_000;

/** Finds every join of a pipeline, in any form and position, with those of the views it runs on and joins. */
export function joinsOf(pipeline: PipelineShape, { namespace, views, collation }: JoinContext): Join[] {
  const { scope, view } = openScope(namespace, views, new Map(), 0);
  const joins: Join[] = [];
  for (const part of [walk(scope, view, 'view.'), walk(after(scope, view), pipeline, '')]) {
    for (const join of part) {
      if (joins.length === MOST_JOINS) return joins;
      joins.push(collation === undefined ? join : { ...join, collation });
    }
  }
  return joins;
}

function* walk(start: Scope, stages: readonly ObjectShape[], path: string): Generator<Join> {
  for (const [index, stage] of stages.entries()) {
    const scope = after(start, stages.slice(0, index));
    yield* joinsOfStage(stage, scope, stages.slice(index + 1), `${path}${index}`);
  }
}

function* joinsOfStage(
  stage: ObjectShape,
  scope: Scope,
  following: readonly ObjectShape[],
  at: string,
): Generator<Join> {
  const { name, body } = stageOf(stage);
  if (!isObjectShape(body) || scope.depth > DEEPEST_NESTING) return;
  if (name === '$lookup') yield* lookupJoins(body, scope, following, at);
  else if (name === '$graphLookup') yield* graphJoin(body, scope, following, at);
  else if (name === '$unionWith') yield* unionJoins(body, scope, at);
  else if (name === '$facet') {
    for (const [facet, pipeline] of Object.entries(body))
      yield* walk(scope, stagesOf(pipeline), `${at}.$facet.${facet}.`);
  }
}

function* unionJoins({ coll, pipeline }: ObjectShape, { views, variables, depth }: Scope, at: string): Generator<Join> {
  if (typeof coll !== 'string') return;
  const { scope, view } = openScope(coll, views, variables, depth);
  yield* walk(scope, view, `${at}.$unionWith.view.`);
  yield* walk(after(scope, view), stagesOf(pipeline), `${at}.$unionWith.`);
}

function* lookupJoins(body: ObjectShape, local: Scope, following: readonly ObjectShape[], at: string): Generator<Join> {
  const { from, localField, foreignField, pipeline } = body;
  const variables = new Map([...local.variables, ...letVariables(body['let'], local)]);
  if (typeof from !== 'string' || from.startsWith('?')) return;
  const { scope: foreign, view } = openScope(from, local.views, variables, local.depth + 1);
  const own = stagesOf(pipeline);
  // `{$lookup: {pipeline: [{$documents: …}]}}` joins with values of the command, which may join collections in turn.
  if (from.endsWith(`.${GIVEN_DOCUMENTS}`)) return yield* walk(foreign, own, `${at}.$lookup.`);
  const ofView = correlationOf({ ...foreign, variables: new Map() }, view, local);
  const ofPipeline = correlationOf(after(foreign, view), own, local);
  const byFields =
    typeof localField === 'string' && typeof foreignField === 'string'
      ? [equality(localField, traceField(localField, local, false).origin, foreignField, after(foreign, view))]
      : [];
  yield {
    form: formOf(byFields.length > 0, own, variables),
    stage: '$lookup',
    at,
    source: sourceOf(local),
    foreign: sourceOf(foreign),
    as: asOf(body),
    keys: [...byFields, ...ofPipeline.keys],
    conditions: [...ofView.conditions, ...ofPipeline.conditions],
    position: joinPosition(local, following, asOf(body)),
  };
  yield* walk(foreign, view, `${at}.$lookup.view.`);
  yield* walk(after(foreign, view), own, `${at}.$lookup.`);
}

/** @param written of the local side; null for an expression */
function equality(written: string | null, origin: Origin, foreignField: string, foreign: Scope): JoinKey {
  const trace = traceField(foreignField, foreign, false);
  return {
    operator: '$eq',
    local: { written, origin },
    foreign: { written: foreignField, origin: trace.origin },
    index: indexability(trace, foreign.base),
    branch: null,
  };
}

function letVariables(variables: Shape | undefined, scope: Scope): [name: string, variable: Variable][] {
  if (!isObjectShape(variables)) return [];
  return Object.entries(variables).map(([name, expression]) => [name, { expression, scope }]);
}

function formOf(isByFields: boolean, own: PipelineShape, variables: Scope['variables']): JoinForm {
  if (isByFields) return own.length > 0 ? 'fields-and-pipeline' : 'fields';
  const used = referencesOf(own as unknown as Shape).variables;
  return [...used].some((name) => variables.has(name)) ? 'expression' : 'uncorrelated';
}

function* graphJoin(body: ObjectShape, local: Scope, following: readonly ObjectShape[], at: string): Generator<Join> {
  const { from, startWith, connectToField: to, restrictSearchWithMatch: restriction } = body;
  // A source that truncates commands may have cut the stage short.
  if (typeof from !== 'string' || from.startsWith('?') || typeof to !== 'string') return;
  const { scope: foreign, view } = openScope(from, local.views, new Map(), local.depth + 1);
  const searched = after(foreign, view);
  const start = startWith ?? '?object';
  const written = typeof start === 'string' ? start.replace(/^\$(?!\$)/, '') : null;
  yield {
    form: 'graph',
    stage: '$graphLookup',
    at,
    source: sourceOf(local),
    foreign: sourceOf(foreign),
    as: asOf(body),
    keys: [equality(written, originOf(start, local), to, searched)],
    conditions: conditionsOf(restriction, () => false, searched),
    position: joinPosition(local, following, asOf(body)),
  };
}

function sourceOf({ namespace, base }: Scope): Join['source'] {
  return { namespace, base };
}

function asOf(body: ObjectShape): string | null {
  const { as: field } = body;
  return typeof field === 'string' ? field : null;
}
