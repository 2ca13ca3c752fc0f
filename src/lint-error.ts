/**
 * A run that could not lint, for a reason that its user can mend: one line that says what is wrong and what to do.
 * Everything else that is thrown is a defect.
 */
export class LintError extends Error {
  override readonly name = 'LintError';
}
