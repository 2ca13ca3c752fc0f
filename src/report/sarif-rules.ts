import type { ReportingDescriptor } from 'sarif';
import type { Finding } from '../finding.js';
import { checkPage } from './check-page.js';
import type { Report } from './report.js';

/** Every check that a result or a notification names, sorted by id, with what people can read of it. */
export function sarifRules({ findings, skipped }: Report, homepage: string | undefined): ReportingDescriptor[] {
  const examples = new Map(findings.map((finding) => [finding.check, finding]));
  const ids = new Set([...examples.keys(), ...skipped.map(({ check }) => check).filter((check) => check !== '*')]);
  return [...ids].sort().map((id) => ruleOf(id, examples.get(id), homepage));
}

function ruleOf(id: string, example: Finding | undefined, homepage: string | undefined): ReportingDescriptor {
  const page = checkPage(id);
  const title = example?.title ?? page?.title ?? id;
  const helpUri = absolute(example?.docs ?? `checks/${id}.md`, homepage);
  const help = page?.markdown ?? `${title}. Run \`mongolint explain ${id}\` for what it means and how to fix it.`;
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: page?.introduction ?? title },
    help: { text: help, markdown: help },
    ...(helpUri !== undefined && { helpUri }),
    properties: { tags: ['mongodb', 'schema-design'] },
  };
}

/** The format takes absolute addresses only. */
function absolute(docs: string, homepage: string | undefined): string | undefined {
  if (!URL.canParse(docs, homepage)) return undefined;
  const { protocol, href } = new URL(docs, homepage);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
