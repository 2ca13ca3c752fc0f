/** Builds `dist/executable/mongolint`: one file that runs without Node, since Node is in it. `npm run build` comes first. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'rolldown';

const FOLDER = 'dist/executable';
/** Marks the place of the code in Node's file. Source: Node's manual, "Single executable applications". */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const { platform } = process;
const file = `${FOLDER}/mongolint${platform === 'win32' ? '.exe' : ''}`;

const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const ofDriver = JSON.parse(readFileSync('node_modules/mongodb/package.json', 'utf8')).peerDependencies;
/** Those with code of a machine can't be in it. */
const external = Object.keys({ ...peerDependencies, ...ofDriver }).filter(
  (name) => !['@modelcontextprotocol/sdk', 'vscode-languageserver-protocol'].includes(name),
);

/** The code of an executable can't import files: Node's own loader does, packages from the working directory. Node 20 warns of it. */
const importOutside = `const emitWarning = process.emitWarning;
process.emitWarning = (warning, ...rest) =>
  /USE_MAIN_CONTEXT_DEFAULT_LOADER/.test(warning) ? undefined : emitWarning.call(process, warning, ...rest);
const importOutside = (module) => {
  const { constants, runInThisContext } = require('node:vm');
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const filename = require('node:path').join(process.cwd(), 'mongolint');
  return runInThisContext('(module) => import(module)', { filename, importModuleDynamically })(module);
};`;

mkdirSync(FOLDER, { recursive: true });
await build({
  input: 'src/cli.ts',
  platform: 'node',
  external: external.map((name) => new RegExp(`^${name}(/|$)`)),
  plugins: [
    {
      name: 'imports-outside',
      // But for the one in a text, which has a loader already.
      renderChunk: (code) => code.replaceAll(/(?<!=> )\bimport\(/g, 'importOutside('),
    },
  ],
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  output: {
    file: `${FOLDER}/mongolint.cjs`,
    format: 'cjs',
    codeSplitting: false,
    comments: false,
    intro: importOutside,
  },
  logLevel: 'warn',
});

const pages = readdirSync('checks', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const assets = [
  'package.json',
  'src/report/html/page.css',
  'src/report/html/page.js',
  'dist/bundle/collect-in-shell.cjs.gz',
  ...pages.map((name) => `checks/${name.replaceAll('\\', '/')}`),
];
const blob = `${FOLDER}/mongolint.blob`;
const settings = {
  main: `${FOLDER}/mongolint.cjs`,
  output: blob,
  disableExperimentalSEAWarning: true,
  useCodeCache: true,
  assets: Object.fromEntries(assets.map((path) => [path, path])),
};
writeFileSync(`${FOLDER}/sea.json`, JSON.stringify(settings));
execFileSync(process.execPath, ['--experimental-sea-config', `${FOLDER}/sea.json`], { stdio: 'inherit' });
copyFileSync(process.execPath, file);
if (platform === 'darwin') execFileSync('codesign', ['--remove-signature', file]);
const macho = platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : [];
const postject = ['node_modules/postject/dist/cli.js', file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...macho];
execFileSync(process.execPath, postject, { stdio: 'inherit' });
if (platform === 'darwin') execFileSync('codesign', ['--sign', '-', file]);
