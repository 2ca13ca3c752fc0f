/** A run that could not lint, in one line that says what is wrong and what to do. Any other error is a defect. */
export class LintError extends Error {
  override readonly name = 'LintError';
}
