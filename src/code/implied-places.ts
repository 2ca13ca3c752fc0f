import type { Expression } from 'oxc-parser';
import type { OperationKind } from '../workload/workload.js';
import { idFilter } from './code-filter.js';
import type { Evaluator } from './evaluator.js';
import { usesMongoose } from './libraries.js';
import { roleOf, type LocatedPush, type Place } from './place.js';
import type { EachModule } from './registry.js';
import { bare } from './syntax.js';
import { lineAt, waysOf, type CollectionValue, type Value } from './value.js';

/** Methods that make an array of a document longer, once it is saved. */
const ADDING = new Set(['push', 'addToSet', 'unshift']);

export interface ImpliedPlaces {
  readonly places: readonly Place[];
  readonly pushes: readonly LocatedPush[];
}

/**
 * What mongoose sends for calls that are no operations themselves: `save()` of a document inserts it or updates it by `_id`,
 * and `populate` reads other documents by `_id`.
 */
export function impliedPlaces(evaluator: Evaluator, each: EachModule): ImpliedPlaces {
  const places: Place[] = [];
  const pushes: LocatedPush[] = [];
  if (!usesMongoose(evaluator.modules.all)) return { places, pushes };
  each((module) => {
    for (const node of module.calls) {
      const callee = node.type === 'CallExpression' ? bare(node.callee) : null;
      if (callee?.type !== 'MemberExpression' || callee.computed) continue;
      const { name } = callee.property;
      const object = callee.object as Expression;
      const role = roleOf(module.file);
      const line = lineAt({ module, node: callee.property });
      const note = (of: CollectionValue | null, kind: OperationKind, shapes: Place['shapes']) => {
        const { name: collection = null, database = null } = of ?? {};
        places.push({ ...line, role, method: name, collection, database, ...IMPLIED, kinds: [kind], shapes });
      };
      if (name === 'save') {
        const of = documentOf(evaluator.ask(object, module));
        note(of, 'insert', null);
        note(of, 'update', BY_ID);
      } else if (name === 'remove' || name === 'deleteOne') {
        const of = node.arguments.length === 0 ? documentOf(evaluator.ask(object, module)) : null;
        if (of !== null) note(of, 'delete', BY_ID);
      } else if (name === 'populate') {
        note(null, 'find', BY_ID);
      } else if (ADDING.has(name)) {
        const array = evaluator.ask(object, module);
        const of = array.kind === 'method' ? documentOf(array.of) : null;
        if (array.kind === 'method' && of !== null && of.name !== null)
          pushes.push({
            ...line,
            role,
            collection: of.name,
            database: of.database,
            path: array.name,
            operator: name,
            isCapped: false,
          });
      }
    }
  });
  return { places, pushes };
}

/** `_id`, and whatever else: the version, the shard key, what a `match` says. */
const BY_ID: Place['shapes'] = [{ filter: { ...idFilter(), closed: false } }];

/** The library is the driver's: mongoose leaves out nothing of these. */
const IMPLIED = { library: 'driver', complete: false, unlisted: 'implied' } as const;

function documentOf(value: Value) {
  const [first, ...others] = waysOf(value).flatMap((way) => (way.kind === 'document' ? [way.of] : []));
  return first === undefined || others.some(({ name }) => name !== first.name) ? null : first;
}
