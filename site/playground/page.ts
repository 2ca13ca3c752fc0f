import samples from 'playground:samples';
import source from 'playground:worker';
/** The page of the playground: what is chosen and set goes to the worker, and its report into the frame. */
import { plural } from '../../src/format.js';
import { Settings, type KnownCheck } from './settings.js';
import type { Answer, Asked } from './worker.js';

/** In ms. A file that takes longer was made to. */
const PATIENCE = 60_000;
/** In ms, from one keystroke to the next. */
const PAUSE = 250;
const MOST_ROWS = 200;
const FACTORS = [1, 10, 100, 1000];

interface ReportShown {
  readonly summary: { readonly findings: Readonly<Record<'error' | 'warning' | 'info', number>> };
  readonly findings: readonly { readonly check: string }[];
  readonly collections: readonly { readonly namespace: string; readonly documents?: number | null }[];
}

const element = <T extends HTMLElement>(id: string): T => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no ${id}.`);
  return found as T;
};
const made = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const one = Object.assign(document.createElement(name), properties);
  one.append(...children);
  return one;
};

const settings = new Settings();
let worker = startedWorker();
let checks: readonly KnownCheck[] = [];
/** The file in the worker, or the one that it has to take. */
let chosen: { readonly name: string; readonly file: Blob } | null = null;
let isNew = false;
let asked = 0;
let answered = 0;
let patience = 0;

/** A worker of a blob is bound by the policy of this page. */
function startedWorker(): Worker {
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const one = new Worker(address);
  URL.revokeObjectURL(address);
  one.addEventListener('message', ({ data }: MessageEvent<Answer | { readonly checks: readonly KnownCheck[] }>) => {
    if ('checks' in data) checks = data.checks;
    else taken(data);
  });
  return one;
}

function choose(name: string, file: Blob): void {
  chosen = { name, file };
  isNew = true;
  settings.clear();
  for (const button of element('samples').querySelectorAll('button'))
    button.setAttribute('aria-pressed', String(button.dataset['name'] === name));
  judge();
}

/** Asks for a report; while one is made, only the last question counts. */
function judge(): void {
  if (chosen === null) return;
  element('status').textContent = `Judging ${chosen.name} …`;
  if (asked !== answered) return;
  asked += 1;
  const question: Asked = { id: asked, name: chosen.name, ...settings.given(), ...(isNew && { file: chosen.file }) };
  settings.isChanged = false;
  isNew = false;
  worker.postMessage(question);
  patience = window.setTimeout(giveUp, PATIENCE);
}

function giveUp(): void {
  worker.terminate();
  worker = startedWorker();
  answered = asked;
  chosen = null;
  showFault('The file takes longer than a minute. Judge it with `mongolint judge FILE`.');
}

function taken(answer: Answer): void {
  if (answer.id !== asked) return;
  answered = answer.id;
  clearTimeout(patience);
  if (isNew || settings.isChanged) return judge();
  if ('fault' in answer) return showFault(answer.fault);
  const report = JSON.parse(answer.json) as ReportShown;
  element('fault').hidden = true;
  element('work').hidden = false;
  const { error, warning, info } = report.summary.findings;
  const time = (answer.milliseconds / 1000).toFixed(1);
  element('status').textContent =
    `${chosen?.name}: ${plural(error, 'error')}, ${plural(warning, 'warning')}, ${info} info. Judged here in ${time} s.`;
  element<HTMLIFrameElement>('report').srcdoc = answer.html;
  const link = element<HTMLAnchorElement>('json');
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([answer.json], { type: 'application/json' }));
  showSettings(report);
}

function showFault(text: string): void {
  element('work').hidden = true;
  element('status').textContent = '';
  const fault = element('fault');
  fault.hidden = false;
  fault.textContent = text;
}

let shownFor: unknown = null;

/** Made once for each file: a field that somebody types into must stay. */
function showSettings({ collections, findings }: ReportShown): void {
  element('configuration').textContent = settings.yaml();
  if (shownFor === chosen) return;
  shownFor = chosen;
  const sized = collections.flatMap(({ namespace, documents }) =>
    typeof documents === 'number' && documents > 0 ? [{ namespace, documents }] : [],
  );
  sized.sort((one, other) => other.documents - one.documents);
  element('collections').replaceChildren(...sized.slice(0, MOST_ROWS).map(sizeRow));
  const found = new Set(findings.map(({ check }) => check));
  const inOrder = [...checks].sort((one, other) => Number(found.has(other.id)) - Number(found.has(one.id)));
  element('checks').replaceChildren(...inOrder.map((check) => checkRow(check, found.has(check.id))));
  filterChecks();
}

function sizeRow({ namespace, documents }: { readonly namespace: string; readonly documents: number }): HTMLElement {
  const select = made('select', { ariaLabel: `Expected size of ${namespace}` });
  for (const factor of FACTORS) {
    const text =
      factor === 1 ? 'as it is' : `× ${factor.toLocaleString('en')}: ${(factor * documents).toLocaleString('en')}`;
    select.append(made('option', { value: String(factor) }, text));
  }
  select.addEventListener('change', () => {
    const factor = Number(select.value);
    settings.expectSize(namespace, factor === 1 ? null : factor * documents);
    changed();
  });
  const name = made('span', {}, namespace, made('small', {}, `${documents.toLocaleString('en')} documents`));
  return made('div', { className: 'row' }, name, select);
}

function checkRow({ id, summary, optional, thresholds }: KnownCheck, isFound: boolean): HTMLElement {
  const select = made('select', { ariaLabel: `Severity of ${id}` });
  const usual =
    optional === true
      ? [
          ['', 'off'],
          ['on', 'on'],
        ]
      : [
          ['', 'as judged'],
          ['off', 'off'],
        ];
  for (const [value = '', text = ''] of [...usual, ['info', 'info'], ['warning', 'warning'], ['error', 'error']])
    select.append(made('option', { value }, text));
  select.addEventListener('change', () => {
    settings.setSeverity(id, select.value);
    changed();
  });
  const note = isFound ? `found here · ${summary}` : summary;
  const row = made('div', { className: 'row' }, made('span', {}, id, made('small', {}, note)), select);
  for (const [name, threshold] of Object.entries(thresholds)) {
    const input = made('input', { type: 'number', min: '0', step: 'any', value: String(threshold.default) });
    input.addEventListener('input', () => {
      const value = input.valueAsNumber;
      settings.setThreshold(id, name, Number.isNaN(value) || value === threshold.default ? null : value);
      changed();
    });
    row.append(made('label', { className: 'threshold' }, `${name}: ${threshold.description}`, input));
  }
  row.dataset['words'] = `${id} ${summary}`.toLowerCase();
  return row;
}

function filterChecks(): void {
  const words = element<HTMLInputElement>('find').value.toLowerCase().split(/\s+/);
  for (const row of element('checks').children) {
    const text = (row as HTMLElement).dataset['words'] ?? '';
    (row as HTMLElement).hidden = !words.every((word) => text.includes(word));
  }
}

let pause = 0;
function changed(): void {
  clearTimeout(pause);
  settings.isChanged = true;
  pause = window.setTimeout(judge, PAUSE);
}

for (const { name, title, data } of samples) {
  const button = made('button', { type: 'button' }, title);
  button.dataset['name'] = name;
  button.setAttribute('aria-pressed', 'false');
  button.addEventListener('click', () => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    choose(name, new Blob([bytes]));
  });
  element('samples').append(button);
}
// On a narrow screen, the report is below the settings.
element<HTMLDetailsElement>('sizes').open = matchMedia('(min-width: 60rem)').matches;
element<HTMLInputElement>('file').addEventListener('change', ({ target }) => {
  const input = target as HTMLInputElement;
  const file = input.files?.[0];
  if (file !== undefined) choose(file.name, file);
  // The same file may be chosen again, once it was changed.
  input.value = '';
});
document.addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('over');
});
document.addEventListener('dragleave', () => document.body.classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('over');
  const file = event.dataTransfer?.files[0];
  if (file !== undefined) choose(file.name, file);
});
element('find').addEventListener('input', filterChecks);
element('reset').addEventListener('click', () => {
  settings.clear();
  shownFor = null;
  judge();
});
element('copy').addEventListener('click', () => void navigator.clipboard.writeText(settings.yaml()));
