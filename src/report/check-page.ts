import { packageFile } from '../files/package-root.js';

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
  const file = packageFile(`checks/${id}.md`);
  if (file === null) return undefined;
  const markdown = file.toString();
  const [opening = ''] = markdown.replace(/^# .*\n/, '').split(/^## /m);
  const introduction = opening.replace(/[*`]/g, '').replace(/\s+/g, ' ').trim();
  const [title = id] = introduction.split(':');
  return { title, introduction, markdown };
}
