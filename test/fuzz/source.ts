import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeText } from '../../src/cli/code-command.js';
import { readCode } from '../../src/code/read-code.js';
import { isSourceFile } from '../../src/code/source-line.js';
import type { SeededRandom } from '../../src/demo/seeded-random.js';
import { mutated, mutatedText } from './mutation.js';

const NAMES = (
  'a b c f g orders db client User schema mongoose Schema this Object require module exports constructor __proto__ ' +
  'toString undefined process'
).split(' ');
/** What may be declared. */
const DECLARED = 'a b c d e f g orders schema User constructor __proto__ toString'.split(' ');
const PROPERTIES = (
  'find findOne findOneAndUpdate aggregate updateOne bulkWrite insertMany deleteMany distinct sort limit toArray collection db ' +
  'model models discriminator save populate push concat filter statics static methods createIndex createIndexes index prototype ' +
  'constructor __proto__ $match $lookup $push $or from localField pipeline status name length exec then forFeature default schema'
).split(' ');
const FILES = ['a.ts', 'b.ts', 'sub/c.tsx', 'sub/index.mts'];
const SPECIFIERS = [
  './a',
  './b.js',
  './sub/c',
  './sub',
  '@/a',
  'mongodb',
  'mongoose',
  '@nestjs/mongoose',
  '@typegoose/typegoose',
  'meteor/mongo',
];
const IMPORTS = `import mongoose, { Schema } from 'mongoose';
import { MongoClient } from 'mongodb';
const client = new MongoClient(process.env.URI), db = client.db('shop'), orders = db.collection('orders');
const schema = new Schema({ status: String, lines: [{ price: Number }] });
const User = mongoose.model('User', schema);
`;
const TSCONFIG = { compilerOptions: { baseUrl: '.', paths: { '@/*': ['./*', 'sub/*'], x: ['a.ts'] } }, name: '@a/b' };

/** What is wrong with what `mongolint code` says of source that nobody wrote. */
export async function triedSource(folder: string, random: SeededRandom) {
  const own = join(folder, 'source');
  await rm(own, { recursive: true, force: true });
  for (const file of FILES) {
    await mkdir(dirname(join(own, file)), { recursive: true });
    const text = IMPORTS + new Grammar(random).program();
    await writeFile(join(own, file), random.chance(0.1) ? mutatedText(text, random) : text);
  }
  for (const file of ['tsconfig.json', 'sub/tsconfig.json', 'sub/package.json']) {
    const text = JSON.stringify(mutated(TSCONFIG, random, 'json'));
    await writeFile(join(own, file), random.chance(0.3) ? mutatedText(text, random) : text);
  }
  return understood(own);
}

const PACKAGE = { name: '@a/b', main: './a.ts', exports: { '.': './a.ts', './*': './sub/*.ts' }, workspaces: ['sub'] };
const CONFIGURATIONS = [
  TSCONFIG,
  {
    extends: ['./sub/tsconfig.json', '@a/b/tsconfig.json'],
    files: ['a.ts'],
    include: ['**/*'],
    references: [{ path: './sub' }],
  },
  {
    compilerOptions: { paths: Object.fromEntries(DECLARED.map((name) => [`${name}/*`, [`./${name}/*`, '*', '../*']])) },
  },
  PACKAGE,
];
/** Between two parts of JSON, as a tsconfig.json may have it, and as it may not. */
const BETWEEN = [
  ' ',
  '\n',
  '// a "\n',
  '/* { */',
  ',',
  ',,',
  '/*',
  '//',
  '\uFEFF',
  '\0',
  '"',
  '\\"'.repeat(3_000),
  '/*'.repeat(3_000),
];

/** What is wrong with what `mongolint code` says of sound source beside configurations of TypeScript and packages that are not. */
export async function triedTsconfig(folder: string, random: SeededRandom) {
  const own = join(folder, 'tsconfig');
  await rm(own, { recursive: true, force: true });
  for (const file of FILES) {
    const path = join(own, file);
    await mkdir(dirname(path), { recursive: true });
    const imports = SPECIFIERS.map((specifier, index) => `import * as m${index} from '${specifier}';`);
    await writeFile(path, `${imports.join('\n')}\n${IMPORTS}export { User, orders }; m1.orders?.find({ a: 1 });\n`);
  }
  for (const file of ['tsconfig.json', 'sub/tsconfig.json', 'package.json', 'sub/package.json']) {
    const path = join(own, file);
    const text = JSON.stringify(mutated(random.choose(CONFIGURATIONS), random, 'json'));
    const odd = text.replaceAll(/[,:{}[\]]/g, (sign) => (random.chance(0.05) ? sign + random.choose(BETWEEN) : sign));
    const kind = random.next();
    if (kind < 0.04) await mkdir(path);
    else if (kind < 0.08) await symlink(random.choose(['/dev/zero', path, 'a.ts', '/proc/self/mem']), path);
    else
      await writeFile(
        path,
        random.chance(0.3) ? mutatedText(odd, random) : odd,
        random.chance(0.1) ? 'utf16le' : 'utf8',
      );
  }
  return understood(own);
}

async function understood(folder: string) {
  // In this process: none nests deeply, and starting one takes longer than all the rest.
  const code = await readCode(folder, { name: 'source' });
  const text = codeText(code);
  const problems = [
    ...(text.includes('a bug in mongolint') ? ['a bug in mongolint'] : []),
    ...(/\[object Object\]|\bNaN\b/.test(text) ? ['it says NaN or [object Object]'] : []),
    ...(code.files + code.unread.filter(({ file }) => isSourceFile(file)).length === FILES.length
      ? []
      : ['not all files are counted']),
  ];
  return { problems, stderr: text.slice(-500) };
}

/** JavaScript that parses, for the most part, and means nothing. */
class Grammar {
  private left = 150;

  constructor(private readonly random: SeededRandom) {}

  program(): string {
    return this.some(12, () => this.statement()).join('\n');
  }

  private some<Item>(most: number, item: () => Item): Item[] {
    return Array.from({ length: this.random.below(most) }, item);
  }

  private one(...ways: readonly (() => string)[]): string {
    return this.random.choose(ways)();
  }

  private get name(): string {
    return this.random.choose(NAMES);
  }

  private get declared(): string {
    return this.random.choose(DECLARED);
  }

  private get property(): string {
    return this.random.choose(PROPERTIES);
  }

  private statement(): string {
    const { random } = this;
    const block = () => `{ ${this.some(4, () => this.statement()).join(' ')} }`;
    return this.one(
      () => `${random.choose(['const', 'let', 'var'])} ${this.pattern()} = ${this.expression()};`,
      () => `${this.expression()};`,
      () => `${this.expression()};`,
      () => `${this.name}.${this.property} = ${this.expression()};`,
      () =>
        `function ${this.declared}(${this.pattern()}, b = ${this.expression()}) { ${this.statement()} return ${this.expression()}; }`,
      () => `class ${this.declared} extends ${this.expression()} { ${this.members()} }`,
      () => `if (${this.expression()}) ${block()} else ${this.statement()}`,
      () => `for (const ${this.pattern()} of ${this.expression()}) ${block()}`,
      () => `try ${block()} catch (${this.pattern()}) ${block()}`,
      () => `export { a as ${this.property} } from '${random.choose(SPECIFIERS)}';`,
      () => `export * from '${random.choose(SPECIFIERS)}';`,
      () => `export default ${this.expression()};`,
      () => `import { a as ${this.declared} } from '${random.choose(SPECIFIERS)}';`,
      () => `delete ${this.name}.${this.property};`,
      () => `// mongolint-ignore ${this.property}: ${this.name}`,
    );
  }

  private members(): string {
    return this.some(4, () =>
      this.one(
        () => `${this.property}() { return ${this.expression()}; }`,
        () => `static ${this.property} = ${this.expression()};`,
        () => `get ${this.property}() { return this.${this.property}; }`,
        () =>
          `constructor(private a, @InjectModel('User') b) { super(a); this.${this.property} = ${this.expression()}; }`,
        () => `@Prop({ index: ${this.expression()} }) ${this.property};`,
      ),
    ).join(' ');
  }

  private pattern(): string {
    return this.one(
      () => this.declared,
      () => `{ ${this.property}: ${this.declared}, ...${this.declared} }`,
      () => `[${this.declared}, ${this.declared} = ${this.expression()}]`,
    );
  }

  private expression(): string {
    this.left -= 1;
    if (this.left < 0 || this.random.chance(0.2))
      return this.random.choose([...NAMES, `'${this.property}'`, '1', 'null', '/a/i', '5n']);
    const inner = () => this.expression();
    return this.one(
      () => `${this.name}.${this.property}(${this.some(4, inner).join(', ')})`,
      () => `${inner()}.${this.property}(${this.some(3, () => this.one(inner, () => `...${inner()}`)).join(', ')})`,
      () => `${this.name}(${this.some(3, inner).join(', ')})`,
      () => `new ${this.name}(${this.some(3, inner).join(', ')})`,
      () => `({ ${this.some(5, () => this.field()).join(', ')} })`,
      () =>
        `[${this.some(5, () =>
          this.one(
            inner,
            inner,
            () => `...${inner()}`,
            () => '',
          ),
        ).join(', ')}]`,
      () => `(${inner()} ${this.random.choose(['&&', '||', '??', '+', '===', ','])} ${inner()})`,
      () => `(${inner()} ? ${inner()} : ${inner()})`,
      () => `\`a.\${${inner()}}.b\``,
      () => `((${this.pattern()}) => ${inner()})`,
      () => `(async function (${this.declared}) { return await ${inner()}; })`,
      () => `(class { ${this.members()} })`,
      () => `${inner()}?.[${inner()}]`,
      () => `(${this.declared} = ${inner()})`,
      () => `(${inner()} as any)`,
      () => `require('${this.random.choose(SPECIFIERS)}')`,
    );
  }

  private field(): string {
    return this.one(
      () => `${this.property}: ${this.expression()}`,
      () => `[${this.expression()}]: ${this.expression()}`,
      () => `...${this.expression()}`,
      () => this.name,
      () => `get ${this.property}() { return ${this.expression()}; }`,
      () => `${this.property}(a) { return ${this.expression()}; }`,
    );
  }
}
