/** What the page of a report does in the browser. All data is in the page, as text and attributes. */
'use strict';
const root = document.documentElement;
/** @returns {HTMLElement[]} */
const all = (/** @type {string} */ selector) => Array.from(document.querySelectorAll(selector));
/** @returns {HTMLDetailsElement[]} */
const allFolds = (/** @type {string} */ selector) => Array.from(document.querySelectorAll(selector));
const cards = all('#cards .finding');
const groups = allFolds('.alike');
/** Absent if there is nothing to filter. @type {HTMLFormElement | null} */
const filter = document.querySelector('.filter');
/** @type {HTMLInputElement | null} */
const search = document.querySelector('#search');

// Theme: as the system has it, until the button is pressed.
const themeButton = document.getElementById('theme');
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (root.dataset.theme ?? (prefersDark.matches ? 'dark' : 'light')) === 'dark';
const showTheme = () => {
  themeButton.textContent = isDark() ? 'Light theme' : 'Dark theme';
};
themeButton.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  showTheme();
});
prefersDark.addEventListener('change', showTheme);
showTheme();
themeButton.hidden = false;

// Filter.
const textOf = new Map(cards.map((card) => [card, card.textContent.toLowerCase()]));
const shown = document.getElementById('shown');
/** What the filter is set to, as in an address: "severity=error&check=unbounded-array&search=orders". */
const filterText = () => {
  const set = Array.from(new FormData(filter)).filter(([, value]) => value !== '');
  if (search.value !== '') set.push(['search', search.value]);
  return new URLSearchParams(/** @type {[string, string][]} */ (set)).toString();
};
/** Sets the filter by the address, if that holds one: the fragment of a link to a finding has no "=". */
const filterByAddress = () => {
  if (!location.hash.includes('=')) return;
  const wanted = new URLSearchParams(location.hash.slice(1));
  for (const field of /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (
    filter.querySelectorAll('[name]')
  )) {
    if (field instanceof HTMLInputElement) field.checked = wanted.getAll(field.name).includes(field.value);
    else field.value = wanted.get(field.name) ?? '';
  }
  search.value = wanted.get('search') ?? '';
};
/** Not a step of its own in the browser's history: one each letter that is typed would be too many. */
const filterIntoAddress = () => {
  const text = filterText();
  if (text === '' && !location.hash.includes('=')) return;
  history.replaceState(null, '', '#' + text);
};
const applyFilter = () => {
  const wanted = new FormData(filter);
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  /** @param {HTMLElement} card */
  const matches = (card) =>
    ['severity', 'confidence', 'status'].every((name) => {
      const values = wanted.getAll(name);
      return values.length === 0 || values.includes(card.dataset[name]);
    }) &&
    ['check', 'namespace', 'owner'].every((name) => !wanted.get(name) || wanted.get(name) === card.dataset[name]) &&
    words.every((word) => textOf.get(card).includes(word));
  let count = 0;
  for (const card of cards) {
    card.hidden = !matches(card);
    if (!card.hidden) count += 1;
  }
  const isFiltered = count < cards.length;
  for (const group of groups) {
    group.hidden = !group.querySelector('.finding:not([hidden])');
    group.open = isFiltered;
  }
  shown.textContent = count + ' of ' + cards.length + (cards.length === 1 ? ' finding' : ' findings');
  document.getElementById('nothing').hidden = count > 0;
};
const filterAnew = () => {
  applyFilter();
  filterIntoAddress();
};
if (filter) {
  filter.addEventListener('input', filterAnew);
  filter.addEventListener('submit', (event) => event.preventDefault());
  // Fields are reset after the event.
  filter.addEventListener('reset', () => setTimeout(filterAnew));
  addEventListener('hashchange', () => {
    filterByAddress();
    applyFilter();
  });
  filter.hidden = false;
  filterByAddress();
  applyFilter();
}

// Folding.
const foldButton = document.getElementById('fold');
const folds = () => allFolds('.finding:not([hidden]) details');
const showFold = () => {
  foldButton.textContent = folds().every((fold) => fold.open) ? 'Close all' : 'Open all';
};
if (foldButton) {
  foldButton.addEventListener('click', () => {
    const open = !folds().every((fold) => fold.open);
    for (const fold of folds()) fold.open = open;
    showFold();
  });
  document.addEventListener('toggle', showFold, true);
  showFold();
}

// Links to findings: one that the filter hides is shown again, and one that is folded is opened.
const showTarget = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.classList.contains('finding')) return;
  if (target.hidden) {
    filter.reset();
    setTimeout(showTarget);
    return;
  }
  target.closest('.alike')?.setAttribute('open', '');
  target.querySelector('details').open = true;
  target.scrollIntoView();
  target.focus({ preventScroll: true });
};
addEventListener('hashchange', showTarget);
if (location.hash) showTarget();

// Copying. If the page may not write to the clipboard itself, what is selected is copied.
/** @param {HTMLElement} code */
const copyText = async (code) => {
  if (navigator.clipboard && isSecureContext) {
    await navigator.clipboard.writeText(code.textContent);
    return;
  }
  getSelection().selectAllChildren(code);
  if (!document.execCommand('copy')) throw new Error('The browser did not copy.');
};
for (const button of all('.copy')) {
  button.setAttribute('aria-live', 'polite');
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await copyText(button.closest('.command').querySelector('code'));
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Select and copy by hand';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
}

// Keyboard: "/" searches, Escape clears the search.
document.addEventListener('keydown', (event) => {
  if (!search) return;
  const typing = /** @type {HTMLElement} */ (event.target).matches('input, select, textarea');
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
  }
  if (event.key === 'Escape' && event.target === search) {
    search.value = '';
    filterAnew();
  }
});

// On paper nothing can be opened.
/** @type {HTMLDetailsElement[]} */
let opened = [];
addEventListener('beforeprint', () => {
  opened = allFolds('details:not([open])');
  for (const fold of opened) fold.open = true;
});
addEventListener('afterprint', () => {
  for (const fold of opened) fold.open = false;
});

// Costliest operations: sorted by a press on a head, and of one application if several run them.
const costliest = document.getElementById('costliest');
const applicationsOf = (/** @type {HTMLTableRowElement} */ row) => row.dataset.application.split('\n').filter(Boolean);
const valueIn = (/** @type {HTMLTableRowElement} */ row, /** @type {number} */ column) =>
  Number(row.cells[column].dataset.value);
if (costliest !== null) {
  const body = costliest.querySelector('tbody');
  const rows = Array.from(body.rows);
  const heads = Array.from(costliest.querySelectorAll('th[aria-sort]'));
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      heads.forEach((other) => other.setAttribute('aria-sort', other === head ? 'descending' : 'none'));
      body.append(...rows.toSorted((one, other) => valueIn(other, column) - valueIn(one, column)));
    });
  });
  const applications = Array.from(new Set(rows.flatMap(applicationsOf))).sort();
  if (applications.length > 1) {
    const select = document.createElement('select');
    select.setAttribute('aria-label', 'Application');
    select.append(new Option('All applications', ''), ...applications.map((name) => new Option(name)));
    select.addEventListener('change', () => {
      for (const row of rows) row.hidden = select.value !== '' && !applicationsOf(row).includes(select.value);
    });
    costliest.querySelector('h2').after(select);
  }
}
