import { packageRoot } from '../package-root.js';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface CheckPage {
  readonly title: string;
  /** What it flags, in a sentence or two, as plain text. */
  readonly introduction: string;
  readonly markdown: string;
}

/** The page of a built-in check; undefined for any other. */
export function checkPage(id: string): CheckPage | undefined {
  // Anything else could lead out of the folder.
  if (!/^[a-z][a-z0-9-]*$/.test(id)) return undefined;
  const file = join(packageRoot(), 'checks', `${id}.md`);
  if (!existsSync(file)) return undefined;
  const markdown = readFileSync(file, 'utf8');
  const [opening = ''] = markdown.replace(/^# .*\n/, '').split(/^## /m);
  const introduction = opening.replace(/[*`]/g, '').replace(/\s+/g, ' ').trim();
  const [title = id] = introduction.split(':');
  return { title, introduction, markdown };
}
