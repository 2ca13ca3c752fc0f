const LIGHT = String.raw`
  --page: #f6f6f3; --card: #ffffff; --well: #f1f1ed; --ink: #1d2125; --soft: #5a626b; --line: #deded8; --accent: #0b6b58;
  --error: #b3261e; --error-well: #fcebe9; --warning: #8a5200; --warning-well: #fcf2df; --info: #1f5fa8; --info-well: #e8f1fb;
  --good: #1f6f43; --good-well: #e7f4ec; --unknown: #6b737b; --column: #a9bcc6;
  --error-mark: #d1493f; --warning-mark: #e0a030; --info-mark: #5f97d6; --good-mark: #4ea476; --part-mark: #a8d3ba; --unknown-mark: #c9cdd1;`;

const DARK = String.raw`
  --page: #14171a; --card: #1b1f23; --well: #23282d; --ink: #e6e8ea; --soft: #a4acb4; --line: #31373d; --accent: #5fcab3;
  --error: #ff938a; --error-well: #3a2120; --warning: #f0b65e; --warning-well: #35291a; --info: #86b9f6; --info-well: #1d2b3b;
  --good: #7ad09e; --good-well: #1b2f24; --unknown: #98a1a9; --column: #55707f;
  --error-mark: #e5675d; --warning-mark: #d59a35; --info-mark: #5f97d6; --good-mark: #4ea476; --part-mark: #2f6348; --unknown-mark: #4a525a;`;

/** Colours of both themes: as the system prefers, unless `data-theme` on the root says otherwise; paper is light. */
export const THEME_STYLE = `
:root { color-scheme: light; ${LIGHT}
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme=light]) { color-scheme: dark; ${DARK}
  }
}
:root[data-theme=dark] { color-scheme: dark; ${DARK}
}
@media print {
  :root, :root:not([data-theme=light]), :root[data-theme=dark] { color-scheme: light; ${LIGHT}
    --page: #ffffff;
  }
}
`;
