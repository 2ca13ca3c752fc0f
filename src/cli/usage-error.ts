import { withoutUris } from '../connect/shown-uri.js';

/**
 * An error of commander as it may be shown. It quotes arguments, and any of them may be a password: of an option only the
 * name stays, of a value nothing.
 */
export function usageError(text: string): string {
  return withoutUris(
    text
      .replace(/^(error: option '[^']*') (?:argument|value) '[^]*?' is invalid\./, '$1: its value is invalid.')
      .replace(/^(error: command-argument) value '[^]*?' (is invalid for argument)/, '$1 $2')
      .replace(/^(error: unknown option )'(--[\w-]+|-\w)?[^]*?'(?=\n|$)/, "$1'$2'")
      .replace(/^(error: unknown command) '[^]*?'(?=\n|$)/, '$1'),
  );
}
