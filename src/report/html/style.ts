/** Colours on white, which paper has too. */
const LIGHT = `--bg: #fff; --fg: #1b1f24; --dim: #57606a; --line: #d0d7de; --soft: #f6f8fa; --link: #0550ae;
  --add: #dafbe1; --addw: #85e2a0; --del: #ffebe9; --delw: #ffb3ad; --red: #b3141f; --amber: #7d4e00; --green: #116329; --blue: #0550ae;`;

/** The style of the page. System fonts and colours of contrast 4.5 or more in both schemes; it holds no address. */
export const STYLE = `
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { --bg: #0d1117; --fg: #e6edf3; --dim: #9da7b3; --line: #3d444d; --soft: #161b22; --link: #79c0ff;
  --add: #12361f; --addw: #1f6f3a; --del: #421a1d; --delw: #8e2c32; --red: #ff8880; --amber: #e3b341; --green: #6fdd8b; --blue: #79c0ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1500px; padding: 1rem clamp(.75rem, 3vw, 2.5rem) 4rem; background: var(--bg); color: var(--fg);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } main > details, .questions details { margin: 1.5rem 0; } main > details > summary { font-weight: 600; }
a { color: var(--link); } code, pre, .code { font-family: ui-monospace, Consolas, monospace; font-size: .85rem; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; overflow-x: auto; white-space: pre; overflow-wrap: normal; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } .dim { color: var(--dim); }
.skip { position: absolute; left: -100vw; padding: .4rem .8rem; background: var(--bg); z-index: 3; } .skip:focus { left: .5rem; top: .5rem; }
.tables { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: .6rem 1.25rem; }
.mark { display: inline-block; min-width: 5.5em; padding: 0 .5em; border: 1px solid; border-radius: 1em; font-size: .8rem; text-align: center; white-space: nowrap; }
.blocker { color: var(--red); } .review, .open { color: var(--amber); } .applied { color: var(--green); } .note { color: var(--blue); }
.mark.blocker { font-weight: 700; border-width: 2px; }
.questions { padding-left: 1.8em; } .questions > li { color: var(--fg); border-left: 4px solid var(--line); padding: .1rem 0 .1rem .8rem; margin: .8rem 0; }
.questions > li.blocker { border-color: var(--red); } .questions p { margin: .2rem 0; }
.bar { position: sticky; top: 0; z-index: 2; background: var(--bg); border-bottom: 1px solid var(--line); padding: .5rem 0; display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end; }
.bar label { font-size: .8rem; color: var(--dim); display: grid; } .bar select, .bar input, .bar button { font: inherit; font-size: .9rem; color: var(--fg); background: var(--bg);
  border: 1px solid var(--dim); border-radius: 6px; padding: .2rem .5rem; max-width: 16rem; min-height: 2rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 1px; }
.file { border: 1px solid var(--line); border-radius: 8px; margin: .6rem 0; content-visibility: auto; contain-intrinsic-size: auto 2.7rem; }
.file > summary { cursor: pointer; padding: .5rem .8rem; background: var(--soft); border-radius: 8px; } .file[open] > summary { border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0; }
.file .name { font-weight: 600; } .file .body { padding: .5rem .8rem; }
.part { display: grid; gap: .5rem 1.25rem; margin: .8rem 0; } .finding { margin: .2rem 0 .6rem; } .finding p { margin: .15rem 0; }
.diff { width: 100%; table-layout: auto; font-family: ui-monospace, Consolas, monospace; font-size: .82rem; line-height: 1.45; }
.diff caption { text-align: left; }
.diff td { border: 0; padding: 0 .5rem; white-space: pre-wrap; tab-size: 4; } .diff td.ln { color: var(--dim); text-align: right; user-select: none; width: 1%; white-space: nowrap; }
.diff .add { background: var(--add); } .diff .del { background: var(--del); } .diff mark { color: inherit; border-radius: 2px; } .add mark { background: var(--addw); } .del mark { background: var(--delw); }
.diff.split { table-layout: fixed; } .diff.split td.ln { width: 3.5em; } .diff.split td + td.ln { border-left: 1px solid var(--line); }
.who { font-size: .85rem; margin: .4rem 0; } .who caption { text-align: left; color: var(--dim); } .who .differs { font-weight: 700; color: var(--amber); } .who .opens { font-weight: 700; color: var(--red); }
@media (max-width: 700px) { .bar { position: static; } .questions p, .finding p, li, code, caption { overflow-wrap: anywhere; }
  .diff { table-layout: fixed; } .diff td { overflow-wrap: anywhere; padding: 0 .2rem; } .diff td.ln { width: 2.6em; } .file .body { padding: .4rem; } }
@media (min-width: 1100px) { .part { grid-template-columns: minmax(0, 3fr) minmax(20rem, 2fr); } .part > .why { grid-column: 2; grid-row: 1; } .part > .scroll { grid-column: 1; } }
@media print { :root { color-scheme: light; ${LIGHT} } body { max-width: none; padding: 0; } a { color: inherit; } .bar, .keys { display: none; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; } .scroll { overflow: visible; } td, th { overflow-wrap: anywhere; } .file { content-visibility: visible; }
  .diff .add, .diff .del, .diff mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; } .part { display: block; }
  li, tr, .finding { break-inside: avoid; } h2, .file > summary { break-after: avoid; } }
`;
