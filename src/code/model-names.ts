/** Plurals that no rule makes, as mongoose has them. */
const IRREGULAR: Readonly<Record<string, string>> = {
  person: 'people',
  man: 'men',
  woman: 'women',
  child: 'children',
  ox: 'oxen',
  mouse: 'mice',
  louse: 'lice',
  quiz: 'quizzes',
  tooth: 'teeth',
  goose: 'geese',
  foot: 'feet',
};

/** Nouns that have no plural. */
const UNCOUNTED = new Set(
  (
    'advice energy excretion digestion cooperation health justice labour machinery equipment information ' +
    'pollution sewage paper money species series rain rice fish sheep moose deer news expertise status media'
  ).split(' '),
);

const RULES: readonly (readonly [ending: RegExp, plural: string])[] = [
  [/(octop|vir)us$/, '$1i'],
  [/(alias|status)$/, '$1es'],
  [/(bu)s$/, '$1ses'],
  [/(buffal|tomat|potat)o$/, '$1oes'],
  [/([ti])um$/, '$1a'],
  [/sis$/, 'ses'],
  [/([^f])fe$/, '$1ves'],
  [/([lr])f$/, '$1ves'],
  [/([^aeiouy]|qu)y$/, '$1ies'],
  [/(matr|vert|ind)(?:ix|ex)$/, '$1ices'],
  [/(x|ch|ss|sh)$/, '$1es'],
  [/s$/, 's'],
];

/** The collection of a mongoose model that names none: its name in lower case, in the plural. */
export function collectionOfModel(model: string): string {
  const name = model.toLowerCase();
  if (UNCOUNTED.has(name) || name.startsWith('system.')) return name;
  for (const [singular, plural] of Object.entries(IRREGULAR))
    if (name.endsWith(singular)) return `${name.slice(0, -singular.length)}${plural}`;
  const rule = RULES.find(([ending]) => ending.test(name));
  if (rule !== undefined) return name.replace(rule[0], rule[1]);
  return /[a-z]$/.test(name) ? `${name}s` : name;
}
