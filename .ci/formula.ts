/**
 * Prints a Homebrew formula, or lines to install by, for the executables of a release:
 * `node dist/.ci/formula.js homebrew|lines VERSION OWNER/NAME FILE…`, with files named `mongolint-linux-x64` and the like.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

interface Executable {
  readonly name: string;
  readonly url: string;
  readonly sha256: string;
}

const [form, version = '', repository = '', ...files] = process.argv.slice(2);
const executables = files.map((file): Executable => {
  const name = basename(file);
  const url = `https://github.com/${repository}/releases/download/v${version}/${name}`;
  return { name, url, sha256: createHash('sha256').update(readFileSync(file)).digest('hex') };
});
process.stdout.write(`${(form === 'homebrew' ? formula() : installLines()).join('\n')}\n`);

function block(system: string, platform: string): string[] {
  const of = executables.filter(({ name }) => name.startsWith(`mongolint-${platform}-`));
  const each = of.flatMap(({ name, url, sha256 }) => [
    `    on_${name.endsWith('-arm64') ? 'arm' : 'intel'} do`,
    `      url "${url}"`,
    `      sha256 "${sha256}"`,
    '    end',
  ]);
  return of.length === 0 ? [] : [`  on_${system} do`, ...each, '  end'];
}

function formula(): string[] {
  return [
    'class Mongolint < Formula',
    '  desc "Anti-pattern linter for live MongoDB clusters"',
    `  homepage "https://github.com/${repository}"`,
    `  version "${version}"`,
    '  license "MIT"',
    ...block('macos', 'darwin'),
    ...block('linux', 'linux'),
    '  def install',
    '    bin.install Dir["mongolint-*"].first => "mongolint"',
    '  end',
    '  test do',
    '    assert_match version.to_s, shell_output("#{bin}/mongolint --version")',
    '  end',
    'end',
  ];
}

function installLines(): string[] {
  return executables
    .filter(({ name }) => !name.endsWith('.exe'))
    .flatMap(({ name, url, sha256 }) => [
      `${name}:`,
      '```',
      `curl --fail --location --output mongolint ${url} && echo "${sha256}  mongolint" | sha256sum --check && chmod +x mongolint`,
      '```',
    ]);
}
