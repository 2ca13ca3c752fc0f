import { isSeenAgain, shareWithin, type SeenPart } from '../../src/judgement/margins.js';
import type { DocumentProfile, PathProfile } from '../../src/profile/document-profile.js';
import { fieldName } from '../../src/profile/path-steps.js';
import { familyCounts, type TypeFamily } from '../../src/profile/type-families.js';

/** Values at one path that never compare equal with each other. */
export interface TypeMixture {
  readonly families: readonly (readonly [family: TypeFamily, count: number])[];
  readonly values: number;
  readonly inMinority: number;
  readonly isStray: boolean;
  readonly intent: 'meant' | 'perhaps meant' | 'not meant';
}

/** Fields that say what kind of thing an object is: readers look there first. */
const DISCRIMINATOR = /^(?:_?(?:type|kind|class)|_{1,2}t|(?:doc|document|entity|event|record|data|value)_?type)$/i;
const SCHEMA_VERSION = /^schema_?version$/i;
/** Fields that say what the value beside them is (attribute pattern). */
const ATTRIBUTE =
  /^(?:k|key|name|attribute|attr|field|property|prop|param|parameter|code|label|unit|metric|op|operator|path|q|question|question_?id)$/i;
const ANY_VALUE =
  /^(?:v|val|values?|data|payload|content|body|raw|result|default|arg|args|params?|setting|from|to|before|after|a|answer|response|old_?value|new_?value)$/i;
/** Fields that may refer to what an attribute is defined by. */
const IDENTIFIER = /^_?id$|_id$|Id$/;
/** Uses of an identifier, on average, from which it names an attribute of many documents, and not the element alone. Judgement. */
const USES_OF_ATTRIBUTE = 2;
const BESIDE = 0.9;
const TUPLES = 0.9;

/** Null if all values are of one family. Arrays don't count: a query for a value finds it in an array too. */
export function typeMixture(
  path: PathProfile,
  { paths }: Pick<DocumentProfile, 'paths'>,
  strayShare: number,
  seen: SeenPart,
): TypeMixture | null {
  const families = familyCounts(path.types).filter(([family]) => family !== 'array');
  const values = families.reduce((sum, [, count]) => sum + count, 0);
  const [most] = families;
  if (most === undefined || families.length === 1) return null;
  const inMinority = values - most[1];
  const [low, high] = shareWithin(inMinority, values, seen);
  const intentOf = path.path.endsWith('[]') ? elementsIntent : fieldIntent;
  const intents = [low, high].map((share) => intentOf(path, paths, share <= strayShare));
  const isSure = intents[0] === intents[1] && isSeenAgain(inMinority, seen);
  const intent = isSure || intents.every((each) => each === 'meant') ? (intents[0] ?? 'meant') : 'perhaps meant';
  return { families, values, inMinority, isStray: inMinority / values <= strayShare, intent };
}

function elementsIntent(
  { parent }: PathProfile,
  paths: readonly PathProfile[],
  isStray: boolean,
): TypeMixture['intent'] {
  const lengths = paths.find(({ path }) => path === parent)?.array?.lengths;
  const areTuples = lengths !== undefined && lengths.shareAtMode >= TUPLES && lengths.mode > 1;
  return areTuples || !isStray ? 'meant' : 'perhaps meant';
}

/** Numbers and ids name an attribute as texts do. */
function isOfKeys(types: PathProfile['types']): boolean {
  return familyCounts(types).length === 1 && (types.int ?? types.long ?? types.double ?? types.objectId) !== undefined;
}

/** An identifier that the elements of many documents share: of what the value beside it is. */
function namesAttribute({ path, types, values }: PathProfile): boolean {
  const { compared = 0, distinct = 0 } = values?.spread ?? {};
  const isShared = distinct > 0 && compared >= USES_OF_ATTRIBUTE * distinct;
  return IDENTIFIER.test(fieldName(path)) && familyCounts(types).length === 1 && isShared;
}

function fieldIntent(field: PathProfile, paths: readonly PathProfile[], isStray: boolean): TypeMixture['intent'] {
  const siblings = paths.filter((each) => each.parent === field.parent && each !== field);
  const beside = siblings.filter(({ occurrences }) => occurrences >= BESIDE * field.occurrences);
  const telling = beside.filter(({ types }) => types.string !== undefined).map(({ path }) => fieldName(path));
  const isAnyValue = ANY_VALUE.test(fieldName(field.path));
  const isBesideKey = beside.some(({ path, types }) => ATTRIBUTE.test(fieldName(path)) && isOfKeys(types));
  const isAttribute = isBesideKey || beside.some(namesAttribute);
  if (isAnyValue && isAttribute && field.parent?.endsWith('[]') === true) return 'meant';
  if (isAnyValue && telling.some((name) => ATTRIBUTE.test(name) || DISCRIMINATOR.test(name))) return 'meant';
  const isVersioned = siblings.some(({ path }) => SCHEMA_VERSION.test(fieldName(path)));
  const isDiscriminated = !isStray && telling.some((name) => DISCRIMINATOR.test(name));
  const embedsOrRefers = !isStray && field.types.object !== undefined;
  return isVersioned || isDiscriminated || embedsOrRefers ? 'perhaps meant' : 'not meant';
}
