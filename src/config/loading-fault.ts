import { withoutUris } from '../connect/shown-uri.js';

/** What went wrong in a module, in one line. A syntax error quotes the source, which may hold a password. */
export function loadingFault(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof SyntaxError) return `${error.name}; \`node --check FILE\` shows where.`;
  return withoutUris(`${error.name}: ${error.message}`.replace(/\s+/g, ' '));
}
