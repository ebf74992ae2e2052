// How the inspector and exported pages look: quiet paper, one accent, light and dark by the system. No fonts, no scripts,
// nothing to load.

const colours = `
:root { color-scheme: light dark;
  --paper: #f6f5f2; --ink: #1d2125; --soft: #5d656d; --line: #e3e0da; --card: #fffefc; --shade: #f0eee9; --user: #eaf1f2;
  --read: #3d9078; --written: #d69a3a; --rest: #b8b1a6; --bad: #b3261e; --good: #1d6b52; --accent: #17616d; --amber: #8a5a00;
  --warm: #fff7e8; --rose: #fbeae8; --mint: #e4f2ee; --shadow: 0 1px 3px rgb(0 0 0 / 7%); }
@media (prefers-color-scheme: dark) { :root {
  --paper: #131518; --ink: #e6e8ea; --soft: #a2abb4; --line: #2c3136; --card: #1b1e22; --shade: #23272c; --user: #1a272b;
  --read: #4fae92; --written: #d9a552; --rest: #6f6a61; --bad: #ff938a; --good: #79d3b3; --accent: #7fc9d6; --amber: #e8bd6b;
  --warm: #262117; --rose: #311e1d; --mint: #162d27; --shadow: none; } }
`;

const basics = `
* { box-sizing: border-box; }
html { overflow-y: scroll; background: var(--paper); }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 15px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
p { margin: .6rem 0; }
code, pre, kbd { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .84em; }
code { color: var(--soft); }
pre { background: var(--shade); border-radius: 8px; padding: .7rem .9rem; overflow: auto; white-space: pre-wrap; max-height: 28rem; margin: .6rem 0; }
pre code { color: inherit; font-size: 1em; }
h1 { font-size: 1.4rem; line-height: 1.25; letter-spacing: -.012em; margin: 0; }
h2 { font-size: .85rem; margin: 0 0 .5rem; color: var(--soft); }
h2.over { font-size: .92rem; color: var(--ink); margin: 1.6rem 0 .6rem; }
h4 { font-size: 1.02rem; margin: 1.1rem 0 .4rem; }
ul, ol { padding-left: 1.4rem; margin: .5rem 0; }
blockquote { margin: .6rem 0; padding-left: .9rem; border-left: 3px solid var(--line); color: var(--soft); }
table { border-collapse: collapse; font-size: .9rem; margin: .7rem 0; display: block; overflow-x: auto; }
th, td { text-align: left; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
input, button, select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 9px; padding: .3rem .7rem; }
button { cursor: pointer; }
button:hover { background: var(--shade); }
kbd { background: var(--shade); border: 1px solid var(--line); border-radius: 5px; padding: 0 .35rem; }
details > summary { cursor: pointer; color: var(--soft); }
details > summary:hover { color: var(--ink); }
math { font-size: 1.08em; }
math[display=block] { margin: .6rem 0; padding: .2rem 0; overflow: auto hidden; }
mtd { padding: .15em .35em; }
mtd.left { text-align: left; }
mtd.right { text-align: right; }
mtd.close { padding: .15em 0; }
.boxed { border: 1px solid; padding: .2em .4em; }
li > ul, li > ol { margin: .15rem 0; }
figure { margin: 0; }
figure img { display: block; min-width: 4rem; min-height: 3rem; object-fit: contain; object-position: left top; max-width: 100%; max-height: 26rem; border-radius: 10px; border: 1px solid var(--line); background: #fff; }
.full { display: block; width: fit-content; max-width: 100%; cursor: zoom-in; border-radius: 10px; }
.full:hover img { border-color: var(--accent); }
.pages .full { flex: none; max-width: none; }
figure audio { width: 100%; }
figcaption, .legend { color: var(--soft); font-size: .8rem; margin-top: .35rem; }
main { padding: 1.4rem 1.6rem 4rem; min-width: 0; }
main:focus { outline: none; }
.none { color: var(--soft); font-style: italic; font-size: .86rem; }
.words { white-space: pre-wrap; margin: 0; }
.lost { border: 1px dashed var(--line); border-radius: 10px; padding: .6rem .9rem; color: var(--soft); font-size: .875rem; }
.problem { background: var(--rose); color: var(--bad); border-radius: 12px; padding: .8rem 1.1rem; margin: 0 0 1rem; }
.pill { display: inline-block; border-radius: 99px; padding: .05rem .6rem; font-size: .76rem; font-weight: 600; background: var(--shade); color: var(--ink); margin-right: .3rem; white-space: nowrap; }
.pill.inside, .pill.after, .pill.healed, .pill.answered { background: var(--mint); color: var(--good); }
.pill.reduced, .pill.tiles, .pill.pages, .pill.text, .pill.running, .pill.silent, .pill.shortened { background: var(--warm); color: var(--amber); }
.pill.refused, .pill.broke, .pill.broken, .pill.words { background: var(--rose); color: var(--bad); }
.attention .pill.reduced { background: var(--written); color: #1d2125; }
.pill.ours { border: 1px dashed var(--soft); background: none; color: var(--soft); }
`;

const shell = `
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 9; }
.top { display: flex; gap: 1.25rem; align-items: center; padding: .6rem 1.4rem; background: var(--card); border-bottom: 1px solid var(--line); position: sticky; top: 0; z-index: 5; }
.brand { font-weight: 700; letter-spacing: -.01em; }
.top nav { display: flex; gap: .6rem; flex: 1; min-width: 0; }
.top nav a { white-space: nowrap; color: var(--ink); }
.top nav b { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.top nav b::before { content: '/'; color: var(--soft); font-weight: 400; margin-right: .6rem; }
.live { color: var(--soft); font-size: .82rem; white-space: nowrap; }
.live.on { color: var(--good); }
.top input { width: 13rem; max-width: 30vw; background: var(--paper); }
.top + .problem { margin: 1rem 1.4rem; }
.keys { margin: 1rem 1.4rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: .8rem 1.2rem; }
.keys dl { display: flex; flex-wrap: wrap; gap: .3rem 2rem; margin: 0 0 .5rem; }
.keys dl div { display: flex; gap: .5rem; }
.keys dt, .item { white-space: nowrap; }
.keys dd { margin: 0; color: var(--soft); }
.list { max-width: 66rem; margin: 1rem auto; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0; font-size: .86rem; }
.filters button { padding: .15rem .8rem; border-radius: 99px; }
.filters button[aria-pressed='true'] { background: var(--accent); border-color: var(--accent); color: var(--card); }
.filters input, .filters select { padding: .15rem .6rem; }
.filters input { width: 6rem; }
.list ul { display: grid; grid-template-columns: 4.7rem minmax(0, 1fr) repeat(4, auto); column-gap: 1.1rem; list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; box-shadow: var(--shadow); }
.list ul:empty { display: none; }
.list li + li { border-top: 1px solid var(--line); }
.list li, .list li a { grid-column: 1 / -1; display: grid; grid-template-columns: subgrid; }
.list li a { row-gap: .1rem; padding: .7rem 1.1rem; color: var(--soft); font-size: .85rem; align-items: baseline; }
.list li a:hover { background: var(--shade); text-decoration: none; }
.list .thumb { grid-row: 1 / 3; align-self: center; width: 3.6rem; height: 2.7rem; border-radius: 7px; border: 1px solid var(--line); background: var(--shade); object-fit: cover; object-position: top left; }
.list .thumb.words { background: repeating-linear-gradient(var(--line) 0 2px, transparent 2px 8px) .6rem .55rem / 2.3rem 1.5rem no-repeat; }
.list .figures { display: contents; font-variant-numeric: tabular-nums; }
.list .figures > * { text-align: right; white-space: nowrap; }
.list .title { color: var(--ink); font-size: .98rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.list .models { grid-column: 2; grid-row: 2; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.list .marks { grid-column: 3 / -1; grid-row: 2; text-align: right; }
.list .marks .pill { margin: 0 0 0 .3rem; }
.more { display: block; margin: 1rem auto; }
.empty { background: var(--card); border: 1px dashed var(--line); border-radius: 14px; padding: 1.2rem 1.5rem; }
.split { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 104rem; margin: 0 auto; }
.rail { padding: 1.4rem .6rem 2rem 1.4rem; position: sticky; top: 3.2rem; align-self: start; max-height: calc(100vh - 3.2rem); overflow: auto; }
.rail ol { list-style: none; margin: 0; padding: 0; }
.rail li { content-visibility: auto; contain-intrinsic-size: auto 3.1rem; }
.rail a { display: grid; grid-template-columns: 1.9rem minmax(0, 1fr) auto; gap: .2rem .3rem; padding: .42rem .6rem; border-radius: 12px; border: 1px solid transparent; color: var(--ink); font-size: .86rem; }
.rail a:hover { background: var(--shade); text-decoration: none; }
.rail a[aria-current] { background: var(--card); border-color: var(--line); box-shadow: var(--shadow); }
.rail a:focus-visible { outline-offset: -2px; border-radius: 12px; }
.rail .whole { display: block; margin-bottom: .4rem; font-weight: 600; }
.rail .number { font-weight: 600; color: var(--soft); font-variant-numeric: tabular-nums; }
.rail [aria-current] .number { color: var(--accent); }
.rail .label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.rail .model { grid-column: 2 / -1; color: var(--soft); font-size: .78rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.rail .price { color: var(--soft); font-variant-numeric: tabular-nums; font-size: .8rem; }
.bar { grid-column: 2 / -1; width: 100%; height: 4px; border-radius: 2px; }
.bar .track, .meter .track { fill: var(--line); }
.rail .marks { grid-column: 2 / -1; }
.rail .marks:empty { display: none; }
.rail .legend { padding: .4rem .6rem; font-size: .76rem; }
.rail .legend .item { margin-right: .3rem; }
.read { fill: var(--read); } .written { fill: var(--written); } .rest { fill: var(--rest); }
`;

const chart = `
.chart { margin: 0 0 1.4rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: .8rem 1rem; box-shadow: var(--shadow); }
.chart svg { width: 100%; height: auto; display: block; }
.chart text { font-size: 11px; fill: var(--soft); }
.chart .none { margin: 0; }
.chart .grid { stroke: var(--line); }
.chart .column { cursor: pointer; }
.chart .hit { fill: transparent; }
.chart .column:hover .hit, .chart .chosen { fill: var(--shade); }
.chart .cost { fill: none; stroke: var(--ink); stroke-width: 1.4; pointer-events: none; }
.chart .dot { fill: var(--card); stroke: var(--ink); stroke-width: 1.4; pointer-events: none; }
.chart text.cut { fill: var(--bad); font-weight: 600; font-size: 12px; }
.key { display: inline-block; width: .75em; height: .75em; border-radius: 3px; margin: 0 .1rem 0 .7rem; background: var(--rest); }
.key:first-child { margin-left: 0; }
.key.read, .key.same { background: var(--read); }
.key.written { background: var(--written); }
.item { margin-right: .7rem; }
.item .key { margin-left: 0; }
.key.line { height: 2px; vertical-align: middle; background: var(--ink); }
.key.differs { background: var(--bad); }
.key.new { background: var(--accent); }
.key.behind { background: repeating-linear-gradient(135deg, var(--written) 0 3px, transparent 3px 6px); }
`;

const request = `
.leaving { pointer-events: none; }
.request { margin-bottom: .8rem; display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; }
.request p { margin: 0; color: var(--soft); }
.request b { color: var(--ink); }
.links { margin-left: auto; display: flex; gap: 1rem; font-size: .84rem; }
.tabs .body { margin-left: auto; color: var(--accent); font-size: .84rem; align-self: center; }
.state { font-weight: 600; color: var(--good); }
.state.bad, .state.refused, .state.broken { color: var(--bad); }
.state.running, .state.silent, .state.aborted { color: var(--amber); }
.tabs { display: flex; gap: .2rem 1.5rem; flex-wrap: wrap; border-bottom: 1px solid var(--line); margin-bottom: 1.1rem; }
.tabs a { padding: .4rem 0; color: var(--soft); border-bottom: 2px solid transparent; margin-bottom: -1px; }
.tabs a:hover { color: var(--ink); text-decoration: none; }
.tabs a[aria-current] { color: var(--ink); border-color: var(--accent); font-weight: 600; }
.healing { display: flex; flex-wrap: wrap; gap: .6rem 1.6rem; list-style: none; margin: 0 0 1rem; padding: .8rem 1.1rem; background: var(--mint); border-radius: 14px; font-size: .88rem; }
.healing li { flex: 1 1 14rem; display: grid; grid-template-columns: auto 1fr; gap: .6rem; align-items: start; }
b.number { display: inline-grid; place-items: center; min-width: 1.5rem; height: 1.5rem; padding: 0 .3rem; border-radius: 99px; background: var(--card); border: 1px solid var(--line); font-size: .8rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .8rem; margin-bottom: 1.1rem; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: .7rem 1rem; display: grid; gap: .1rem; align-content: start; box-shadow: var(--shadow); }
.tile span, .tile small { color: var(--soft); font-size: .8rem; }
.tile b { font-size: 1.2rem; letter-spacing: -.01em; font-variant-numeric: tabular-nums; }
.meter { width: 100%; height: 4px; margin-top: .3rem; }
.meter .fill { fill: var(--accent); }
.sheet { background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; box-shadow: var(--shadow); }
.row { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) minmax(0, .8fr); border-top: 1px solid var(--line); }
.row.head { border: 0; font-size: .82rem; color: var(--soft); font-weight: 600; }
.row.two { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
.row > * { padding: .75rem 1rem; border-left: 1px solid var(--line); min-width: 0; }
.row > *:first-child { border-left: 0; }
.row.attention { background: var(--warm); }
.row p { margin: 0 0 .35rem; }
.row figure + .put, .put + figure, .row figure + figure, .row .words + figure, .row .facts + p { margin-top: .5rem; }
.part > h2 { margin: 0; padding: .5rem 1rem; background: var(--shade); border-top: 1px solid var(--line); color: var(--ink); }
.part > h2 code { font-weight: 400; margin-left: .4rem; }
.part { content-visibility: auto; contain-intrinsic-size: auto 8rem; }
p.folded { margin: 0; color: var(--soft); }
.folded > summary, p.folded { padding: .55rem 1rem; border-top: 1px solid var(--line); background: var(--shade); }
.put { border-left: 2px solid var(--written); padding-left: .6rem; margin: 0; color: var(--soft); font-size: .84rem; white-space: pre-wrap; }
.facts { color: var(--soft); font-size: .84rem; }
.facts b { color: var(--ink); }
dl.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .8rem 1.6rem; margin: 0; padding: .9rem 1.1rem; }
dl.facts dd { margin: 0; color: var(--ink); }
ul.facts { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; margin: .5rem 0 0; padding: 0; list-style: none; }
.rungs { list-style: none; margin: .6rem 0 0; padding: 0; font-size: .84rem; color: var(--soft); }
.rungs li { position: relative; padding: .12rem 0 .12rem 1.2rem; }
.rungs li::before { content: ''; position: absolute; left: .15rem; top: .5rem; width: .55rem; height: .55rem; border-radius: 99px; border: 1.5px solid var(--soft); background: var(--card); }
.rungs li + li::after { content: ''; position: absolute; left: .5rem; top: -.55rem; height: 1rem; border-left: 1.5px dotted var(--soft); }
.rungs .refused { color: var(--bad); }
.rungs .refused::before { border-color: var(--bad); }
.rungs .taken { color: var(--ink); font-weight: 600; }
.rungs .taken::before { border-color: var(--accent); background: var(--accent); }
.loupe { margin-top: .6rem; height: 8.5rem; border-radius: 10px; border: 1.5px solid var(--written); background-repeat: no-repeat; background-color: #fff; image-rendering: pixelated; }
.verdict { border-radius: 14px; padding: 1rem 1.3rem; margin-bottom: 1.1rem; }
.verdict p { margin: .15rem 0; }
.verdict p:first-child { font-size: 1.12rem; }
.verdict.bad { background: var(--rose); } .verdict.bad p:first-child b { color: var(--bad); }
.verdict.good { background: var(--mint); } .verdict.good p:first-child b { color: var(--good); }
.verdict.miss { background: var(--warm); } .verdict.miss p:first-child b { color: var(--amber); }
.strips { display: grid; grid-template-columns: auto 1fr; gap: .3rem .8rem; align-items: center; color: var(--soft); font-size: .84rem; }
.strip { width: 100%; height: 26px; display: block; }
.strip .same { fill: var(--read); } .strip .differs { fill: var(--bad); } .strip .new { fill: var(--accent); }
.strip .behind { fill: url(#behind); }
.stripe { stroke: var(--written); stroke-width: 4; } .ground { fill: var(--written); opacity: .35; }
.sides { background: var(--card); border: 1px solid var(--line); border-radius: 14px; margin: 1.1rem 0; box-shadow: var(--shadow); overflow: hidden; }
.sides > p { margin: 0; padding: .6rem 1.1rem; background: var(--shade); }
.sides > div { padding: .7rem 1.1rem; display: grid; grid-template-columns: auto 1fr; gap: .8rem; align-items: start; }
.sides > * + * { border-top: 1px solid var(--line); }
del { background: var(--rose); color: var(--bad); border-radius: 4px; padding: 0 .2rem; }
ins { background: var(--mint); color: var(--good); text-decoration: none; border-radius: 4px; padding: 0 .2rem; }
.other form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; margin-bottom: 1rem; }
.json { max-height: none; }
`;

const timeline = `
.timeline { max-width: 52rem; margin: 0 auto; }
.turn { margin: 1.4rem 0; content-visibility: auto; contain-intrinsic-size: auto 9rem; }
.who { font-size: .8125rem; font-weight: 600; color: var(--soft); margin: 0 0 .35rem; display: flex; flex-wrap: wrap; gap: .1rem .5rem; align-items: baseline; }
.who time { font-weight: 400; margin-left: auto; }
.turn.user { background: var(--user); border-radius: 14px; padding: .9rem 1.15rem; }
.said > :first-child { margin-top: 0; } .said > :last-child { margin-bottom: 0; }
.said figure { margin: .8rem 0; }
.timeline figure img { max-height: 18rem; }
.thinking { border-left: 3px solid var(--line); padding-left: .9rem; margin: .6rem 0; color: var(--soft); }
.sealed, .note { color: var(--soft); font-size: .84rem; }
.note { text-align: center; }
.went { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin: .9rem 0; overflow: hidden; box-shadow: var(--shadow); }
.card > .call { display: flex; gap: .6rem; align-items: baseline; padding: .55rem 1rem; background: var(--shade); font-size: .875rem; }
.card > .call b { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.card > .call .input { color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1; }
.card > .call .state { font-size: .78rem; }
.card > .body { padding: .4rem 1rem .8rem; font-size: .94rem; }
.pages { display: flex; gap: .75rem; overflow-x: auto; padding-bottom: .4rem; } .pages img { height: 19rem; width: auto; max-width: none; }
`;

const files = `
.file main { max-width: 78rem; margin: 0 auto; padding-top: 3rem; }
.file.session main { max-width: 48rem; }
.file header { border-bottom: 1px solid var(--line); padding-bottom: 1.25rem; margin-bottom: 2rem; }
.file h1 { font-size: 1.7rem; }
.file article { margin: 2.5rem 0; }
.file .sheet { margin-bottom: 1.1rem; }
.file article > h2 { font-size: 1.15rem; color: var(--ink); }
.file h2 small { color: var(--soft); font-weight: 400; }
footer { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1rem; color: var(--soft); font-size: .8125rem; }
@media print { pre { max-height: none; } .card, figure, .turn.user { break-inside: avoid; } main { padding: 0; } }
`;

const screens = `
@media (max-width: 1000px) {
  .split { grid-template-columns: minmax(0, 1fr); }
  .rail { position: static; max-height: 15rem; padding: 1rem 1.4rem .2rem; border-bottom: 1px solid var(--line); }
  .rail .legend { display: none; }
}
@media (max-width: 700px) {
  .top { flex-wrap: wrap; gap: .4rem .8rem; padding: .5rem .9rem; position: static; }
  .top nav { order: 9; flex-basis: 100%; }
  .top input { flex: 1 1 5rem; width: 5rem; min-width: 0; max-width: none; }
  .tabs { gap: .1rem 1.1rem; font-size: .92rem; }
  .row, .row.two { grid-template-columns: minmax(0, 1fr); }
  .row.head { display: none; }
  .row > * { border-left: 0; padding: .5rem .9rem; }
  .row.same > :first-child { display: none; }
  .row.same > :nth-child(2) { padding-top: .5rem; }
  .row:not(.head, .same) > ::before { display: block; color: var(--soft); font-size: .78rem; font-weight: 600; }
  .row:not(.head, .same) > :nth-child(1)::before { content: 'Original'; }
  .row:not(.head, .same) > :nth-child(2)::before { content: 'Sent'; }
  .row.two:not(.head) > :nth-child(1)::before { content: 'Sent'; }
  .row.two:not(.head) > :nth-child(2)::before { content: 'Would get'; }
  .row > * + * { padding-top: 0; }
  .list ul { display: block; }
  .list li a { grid-template-columns: 3.6rem minmax(0, 1fr); column-gap: 1.1rem; }
  .list .thumb { grid-row: 1 / 5; align-self: start; }
  .list .figures { display: flex; flex-wrap: wrap; column-gap: .8rem; font-size: .8rem; }
  .list .figures > :empty { display: none; }
  .list .title, .list .models, .list .figures, .list .marks { grid-column: 2 / -1; grid-row: auto; text-align: left; }
  .list .title { white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
  .list .marks:empty { display: none; }
  .list .marks .pill { margin: 0 .3rem 0 0; }
  .rail { padding: .8rem .9rem 0; }
  main { padding: 1rem .9rem 3rem; }
  .links { margin-left: 0; }
  .tiles { grid-template-columns: 1fr 1fr; }
}
@media (prefers-reduced-motion: no-preference) {
  .pill.running { animation: breathe 1.2s ease-in-out infinite alternate; }
  .leaving { opacity: .55; transition: opacity .1s .2s; }
  @keyframes breathe { to { box-shadow: 0 0 0 3px var(--line); } }
}
`;

export const style: string = [colours, basics, shell, chart, request, timeline, files, screens].join('');
