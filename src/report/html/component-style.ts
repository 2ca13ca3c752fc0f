/** The style of what stands on the page: tiles, filter, findings, plots, tables. */
export const COMPONENT_STYLE = String.raw`
.caution { background: var(--warning-well); color: var(--ink); border-left: 3px solid var(--warning-mark); border-radius: 0 6px 6px 0; padding: .55rem .9rem; max-width: 60rem; }
.caution p { margin: 0; } .caution p + p { margin-top: .35rem; }
.tiles { display: flex; flex-wrap: wrap; gap: .4rem 2rem; }
.tiles li { color: var(--soft); }
.tiles strong { display: block; font-size: 2.1rem; line-height: 1.1; font-weight: 650; letter-spacing: -.02em; color: var(--ink); font-variant-numeric: tabular-nums; }
.tiles .error strong { color: var(--error); } .tiles .warning strong { color: var(--warning); } .tiles .info strong { color: var(--info); } .tiles .none strong { color: var(--soft); }
.states { display: block; border-radius: 7px; margin-bottom: .8rem; }
.states rect { stroke: var(--card); stroke-width: 1.5; }
rect.error { fill: var(--error-mark); } rect.warning { fill: var(--warning-mark); } rect.info { fill: var(--info-mark); }
rect.fine { fill: var(--good-mark); } rect.fine-in-part { fill: var(--part-mark); } rect.not-judged { fill: var(--unknown-mark); } rect.suppressed { fill: var(--column); } rect.empty { fill: var(--line); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: .9rem; }
.swatch { display: inline-block; width: .7em; height: .7em; border-radius: 3px; margin-right: .45em; background: var(--unknown-mark); }
.swatch.error { background: var(--error-mark); } .swatch.warning { background: var(--warning-mark); } .swatch.info { background: var(--info-mark); }
.swatch.fine { background: var(--good-mark); } .swatch.fine-in-part { background: var(--part-mark); } .swatch.suppressed { background: var(--column); } .swatch.empty { background: var(--line); }
.hotspots li { display: flex; flex-wrap: wrap; align-items: center; gap: .15rem .75rem; padding: .35rem 0; }
.hotspots li + li { border-top: 1px solid var(--line); }
.hotspots .soft { font-size: .9rem; }
.marks { display: flex; flex-wrap: wrap; gap: .3rem; margin-left: auto; justify-content: flex-end; }
.marks a { text-decoration: none; overflow-wrap: anywhere; } .marks a:hover { text-decoration: underline; }
button, select, input { font: inherit; color: inherit; }
button { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .25rem .8rem; cursor: pointer; font-size: .9rem; }
button:hover { border-color: var(--accent); }
.filter { display: flex; flex-wrap: wrap; gap: .9rem 1.4rem; align-items: end; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; margin-bottom: 1rem; }
.field { border: 0; margin: 0; padding: 0; min-width: 0; font-size: .9rem; }
.field > label:not(.chip), .field > legend { display: block; padding: 0; color: var(--soft); font-size: .82rem; margin-bottom: .2rem; }
.field select, .field input[type=search] { background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .55rem; max-width: 16rem; width: 100%; height: 2.1rem; }
.search { flex: 1 1 14rem; } .search input[type=search] { max-width: none !important; }
.chip { display: inline-flex; align-items: center; gap: .35rem; border: 1px solid var(--line); border-radius: 999px; padding: 0 .75rem 0 .55rem; height: 2.1rem; cursor: pointer; }
fieldset { display: flex; flex-wrap: wrap; gap: .3rem; }
.chip input { accent-color: var(--accent); margin: 0; }
.chip:has(:checked) { border-color: var(--accent); background: var(--well); }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; flex: 1 1 100%; }
.actions p { margin: 0 auto 0 0; font-size: .9rem; color: var(--soft); }
.finding { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--unknown-mark); border-radius: 8px; padding: 1rem 1.25rem; margin-bottom: .8rem; scroll-margin-top: 1rem; }
.finding.error { border-left-color: var(--error-mark); } .finding.warning { border-left-color: var(--warning-mark); } .finding.info { border-left-color: var(--info-mark); }
.finding:target { box-shadow: 0 0 0 2px var(--accent); }
.finding header { display: flex; align-items: center; gap: .65rem; margin-bottom: .3rem; }
.finding p { max-width: 50rem; }
.permalink { margin-left: auto; padding: 0 .4rem; text-decoration: none; color: var(--soft); }
.badge { font-size: .78rem; font-weight: 650; border-radius: 5px; padding: .1rem .5rem; }
.badge.error { color: var(--error); background: var(--error-well); } .badge.warning { color: var(--warning); background: var(--warning-well); } .badge.info { color: var(--info); background: var(--info-well); } .badge.new { color: var(--page); background: var(--accent); }
.place { margin-bottom: .4rem; }
summary { cursor: pointer; color: var(--accent); font-size: .92rem; width: fit-content; }
.evidence { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; align-items: flex-start; }
.figures { flex: 1 1 16rem; display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .5rem 1rem; }
.figures dt { color: var(--soft); font-size: .82rem; } .figures dd { font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.plot { margin: 0; flex: 0 1 26rem; min-width: min(100%, 18rem); }
.plot svg { display: block; width: 100%; height: auto; overflow: visible; }
.plot figcaption { text-align: center; font-size: .82rem; color: var(--soft); }
.column { fill: var(--column); } .tail { fill: var(--error-mark); } .warning .tail { fill: var(--warning-mark); } .info .tail { fill: var(--info-mark); }
.axis { stroke: var(--line); }
.plot text { font-size: 11px; fill: var(--soft); font-variant-numeric: tabular-nums; } .plot .count { fill: var(--ink); }
.growth .range { fill: var(--accent); opacity: .2; }
.growth .typical { stroke: var(--accent); stroke-width: 2; } .growth .largest { stroke: var(--soft); stroke-width: 2; } .growth line.largest { stroke-dasharray: 5 3; }
.growth circle.typical { fill: var(--accent); } .growth circle.largest { fill: var(--card); }
.growth .mark.info { stroke: var(--info-mark); } .growth .mark.warning { stroke: var(--warning-mark); }
.plot .key { display: inline-block; width: 20px; height: 8px; vertical-align: middle; }
ol.steps { margin: .4rem 0; padding-left: 1.5rem; list-style: decimal; } .steps li + li { margin-top: .6rem; } .steps p { margin: 0; }
.command { background: var(--well); border-radius: 8px; margin: .6rem 0; }
.command p { display: flex; align-items: center; justify-content: space-between; max-width: none !important; margin: 0; padding: .35rem .5rem 0 1rem; font-size: .85rem; }
pre { padding: .5rem 1rem .8rem; margin: 0; overflow-x: auto; line-height: 1.45; }
.command code { overflow-wrap: normal; }
.copy { padding: .1rem .7rem; }
.skipped > li + li { border-top: 1px solid var(--line); margin-top: .9rem; padding-top: .9rem; }
.skipped p { margin: .2rem 0 0; }
.names { display: flex; flex-wrap: wrap; gap: .1rem .9rem; margin: .2rem 0; }
.plain li { padding: .2rem 0; }
.fine-list { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: .35rem 1.5rem; }
.fine-list li::before { content: "✓"; color: var(--good); margin-right: .5em; }
.fine-list .soft { font-size: .9rem; white-space: nowrap; }
.scroll { overflow-x: auto; padding: 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .5rem .9rem; white-space: nowrap; font-weight: 400; }
thead th { color: var(--soft); border-bottom: 1px solid var(--line); }
tbody tr + tr > * { border-top: 1px solid var(--line); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.bar { margin-right: .6rem; vertical-align: middle; } .bar rect { fill: var(--column); }
.coverage > div { display: grid; grid-template-columns: minmax(6rem, 9rem) 1fr; gap: .2rem 1rem; padding: .3rem 0; }
.coverage dt { color: var(--soft); } .coverage dd { overflow-wrap: anywhere; } .coverage dd p { margin: 0; }
@media (max-width: 36rem) { .marks { margin-left: 0; flex-basis: 100%; justify-content: flex-start; } .masthead .facts { order: 3; flex-basis: 100%; } #theme { margin-left: auto; } .coverage > div { grid-template-columns: 1fr; } .finding, .filter, .card { padding-left: 1rem; padding-right: 1rem; } .scroll { padding: 0; } }
`;
