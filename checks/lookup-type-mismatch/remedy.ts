import type { BsonType, RemedyStep } from '../../src/check.js';
import { convertingUpdate, isConvertible } from '../../src/judgement/documents/converting-update.js';
import { SCAN_COST, shellScan } from '../../src/judgement/shell-statement.js';
import { spacedJson } from '../../src/judgement/spaced-json.js';
import type { TypeFamily } from '../../src/profile/type-families.js';
import { sideToChange, type JoinedTypes, type JoinSide } from './joined-types.js';

/** The type that `$convert` produces for a family. */
const CONVERSIONS: Readonly<Partial<Record<TypeFamily, BsonType>>> = {
  objectId: 'objectId',
  string: 'string',
  number: 'long',
  date: 'date',
};

export function other(join: JoinedTypes): JoinSide {
  return sideToChange(join) === join.local ? join.foreign : join.local;
}

export function remedySteps(join: JoinedTypes): RemedyStep[] {
  if (!join.byElements && [join.local, join.foreign].some(({ families }) => families.has('array'))) {
    return [{ text: 'Write the join with `localField` and `foreignField`: they compare the elements of an array.' }];
  }
  const side = sideToChange(join);
  const field = `\`${side.path}\` of ${side.namespace}`;
  const family = mainFamily(other(join));
  const write = `Let the application write ${field} as ${family ?? 'the type of what it refers to'}.`;
  const old = mainFamily(side);
  const conversion = family === null ? undefined : CONVERSIONS[family];
  const canConvert = conversion !== undefined && old !== null && isConvertible(old, conversion);
  const update =
    canConvert && side.storedPath !== null ? convertingUpdate(side.namespace, side.storedPath, old, conversion) : null;
  if (update === null)
    return [
      { text: write },
      { text: 'Convert the stored values with a script of your own: no single update does it.' },
    ];
  return [
    { text: write },
    ...(side.storedPath === side.path ? [untilThen(side.path, conversion ?? '')] : []),
    {
      text: `Convert the stored values. The update reads ${side.namespace}, rewrites each document with a value of the old type, and leaves what cannot be converted as it is.`,
      code: update,
    },
    {
      text: `Check: list the documents with a value of the old type. ${SCAN_COST} What it still lists could not be converted: look at those.`,
      code: shellScan(side.namespace, spacedJson({ [side.path]: { $type: old } })),
    },
  ];
}

function untilThen(path: string, conversion: string): RemedyStep {
  return {
    text: 'Until the stored values are converted, convert them in the join, with a pipeline that compares the other side with `$$key`.',
    code: `let: { key: { $convert: { input: "$${path}", to: "${conversion}", onError: null } } }`,
  };
}

function mainFamily({ families }: JoinSide): TypeFamily | null {
  const [most] = [...families].sort(([, one], [, two]) => two - one);
  return most?.[0] ?? null;
}
