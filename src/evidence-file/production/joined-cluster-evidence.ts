import type { z } from 'zod';
import {
  type ClusterEvidenceName,
  type CollectedTracedEvidence,
  serverSchema,
} from '../../evidence/cluster-evidence.js';
import { oplogWindowSchema } from '../../evidence/oplog-window.js';
import { absent, type Absent, type Evidence, present } from '../../presence.js';
import { childrenSchema } from '../../references/children/children.js';
import { referenceIntegritySchema } from '../../references/reference-integrity.js';
import { referencesSchema } from '../../references/references.js';
import { renamed } from '../renamed.js';
import type { DatabaseMap } from './database-map.js';
import { inProduction } from './joined-collection.js';
import { joinedWorkload, type KeyOf, namesHere } from './joined-workload.js';

interface JoinedScope {
  readonly map: DatabaseMap;
  /** True of a namespace of here that production has too. */
  isInProduction(namespace: string): boolean;
  readonly keyOf: KeyOf;
}

/** That of production about what it has, under the names of here, and that of here about the rest. */
export function joinedClusterEvidence(
  here: CollectedTracedEvidence,
  there: CollectedTracedEvidence,
  scope: JoinedScope,
): CollectedTracedEvidence {
  const names = namesHere(scope.map);
  const joined = <Value>(
    own: Evidence<Value> | undefined,
    theirs: Evidence<Value> | undefined,
    schema: z.ZodType,
    join: (own: Value | null, theirs: Value) => Value,
  ): Evidence<Value> | undefined => {
    if (own === undefined) return undefined;
    if (theirs?.present !== true) return inProduction(theirs ?? NOT_IN_FILE);
    const value = renamed(theirs.value, schema, names) ?? theirs.value;
    return present(join(own.present ? own.value : null, value));
  };
  const pieces: { readonly [Name in ClusterEvidenceName]: CollectedTracedEvidence[Name] | undefined } = {
    server: joined(here.server, there.server, serverSchema, (_, theirs) => theirs),
    oplogWindow: joined(here.oplogWindow, there.oplogWindow, oplogWindowSchema.nullable(), (_, theirs) => theirs),
    references: joined(here.references, there.references, referencesSchema, (own, theirs) => ({
      references: joinedItems(own?.references ?? [], theirs.references, 'namespace', scope),
      gaps: joinedGaps(own, theirs),
    })),
    referenceIntegrity: joined(
      here.referenceIntegrity,
      there.referenceIntegrity,
      referenceIntegritySchema,
      (own, theirs) => ({
        references: joinedItems(own?.references ?? [], theirs.references, 'namespace', scope),
        gaps: joinedGaps(own, theirs),
      }),
    ),
    children: joined(here.children, there.children, childrenSchema, (own, theirs) => ({
      families: joinedItems(own?.families ?? [], theirs.families, 'child', scope),
      gaps: joinedGaps(own, theirs),
    })),
    workload: here.workload && joinedWorkload(here.workload, there.workload ?? NOT_IN_FILE, scope.map, scope.keyOf),
  };
  return Object.fromEntries(Object.entries(pieces).filter(([, piece]) => piece !== undefined));
}

const NOT_IN_FILE = absent(
  'insufficient',
  'its evidence file was collected for other checks. Collect it again with the present configuration.',
);

type WithGaps = { readonly gaps: readonly Absent[] };

function joinedGaps(own: WithGaps | null, theirs: WithGaps): readonly Absent[] {
  return [...theirs.gaps.map(inProduction), ...(own?.gaps ?? [])];
}

/** @param about the field that names the collection that an item is about */
function joinedItems<Item extends object>(
  here: readonly Item[],
  there: readonly Item[],
  about: keyof Item,
  { isInProduction }: JoinedScope,
): readonly Item[] {
  return [...there, ...here.filter((item) => !isInProduction(item[about] as string))];
}
