const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const LANGUAGES = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'];

let client;

/** Starts `mongolint lsp`, which does all the rest. */
exports.activate = async () => {
  const settings = workspace.getConfiguration('mongolint');
  const evidence = settings.get('evidence');
  if (evidence === '') return;
  const args = ['lsp', evidence, ...settings.get('arguments')];
  client = new LanguageClient(
    'mongolint',
    // There, npm installs a script of the shell.
    { command: settings.get('command'), args, options: { shell: process.platform === 'win32' } },
    {
      documentSelector: LANGUAGES.map((language) => ({ scheme: 'file', language })),
      synchronize: { fileEvents: workspace.createFileSystemWatcher('**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,jsonl,gz}') },
    },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
