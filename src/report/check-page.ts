import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.js';

/** What people can read of a check. */
export interface CheckPage {
  /** The anti-pattern as a headline. */
  readonly title: string;
  /** What it flags, in a sentence or two, as plain text. */
  readonly introduction: string;
  /** The whole page as Markdown. */
  readonly markdown: string;
}

/**
 * The page of a built-in check; undefined for a check of which mongolint holds no page, such as a plugin's.
 *
 * @param id the check's id; what is no id in kebab-case, and so could lead out of the folder, has no page
 */
export function checkPage(id: string): CheckPage | undefined {
  if (!/^[a-z][a-z0-9-]*$/.test(id)) return undefined;
  const file = join(packageRoot(), 'checks', `${id}.md`);
  if (!existsSync(file)) return undefined;
  const markdown = readFileSync(file, 'utf8');
  const [opening = ''] = markdown.replace(/^# .*\n/, '').split(/^## /m);
  const introduction = opening.replace(/[*`]/g, '').replace(/\s+/g, ' ').trim();
  const [title = id] = introduction.split(':');
  return { title, introduction, markdown };
}
