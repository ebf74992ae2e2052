// How an exported session looks: one column, quiet colours, light and dark. No fonts, no scripts, nothing to load.

export const style = `
:root { color-scheme: light dark;
  --paper: #faf9f7; --ink: #1f2328; --soft: #667079; --line: #e2dfda; --card: #fff; --shade: #f3f1ed;
  --user: #eaf1fb; --accent: #2f6fd6; --bad: #b3261e; --good: #1a7f4b; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #16181b; --ink: #e5e7ea; --soft: #98a1ab; --line: #2d3136; --card: #1d2024; --shade: #24282d;
  --user: #1e2d45; --accent: #7fb0ff; --bad: #ff8a80; --good: #6fd39c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
header { border-bottom: 1px solid var(--line); padding-bottom: 1.25rem; margin-bottom: 2rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .75rem; letter-spacing: -.015em; }
.facts { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; color: var(--soft); font-size: .875rem; margin: 0; padding: 0; list-style: none; }
.facts b { color: var(--ink); font-weight: 600; }
section { margin: 1.75rem 0; }
.who { font-size: .8125rem; font-weight: 600; color: var(--soft); margin: 0 0 .35rem; display: flex; gap: .6rem; align-items: baseline; }
.who time { font-weight: 400; margin-left: auto; }
.user { background: var(--user); border-radius: 14px; padding: .9rem 1.15rem; }
.said > :first-child { margin-top: 0; } .said > :last-child { margin-bottom: 0; }
p { margin: .6rem 0; } h4 { margin: 1.1rem 0 .4rem; font-size: 1.05rem; }
ul, ol { padding-left: 1.4rem; margin: .5rem 0; } a { color: var(--accent); }
blockquote { margin: .6rem 0; padding-left: .9rem; border-left: 3px solid var(--line); color: var(--soft); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .84em; }
code { background: var(--shade); border-radius: 4px; padding: .1em .3em; }
pre { background: var(--shade); border-radius: 8px; padding: .8rem 1rem; overflow: auto; max-height: 24rem; white-space: pre-wrap; line-height: 1.5; margin: .6rem 0; }
pre code { background: none; padding: 0; font-size: 1em; }
table { border-collapse: collapse; font-size: .9rem; margin: .7rem 0; display: block; overflow-x: auto; }
th, td { text-align: left; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; } td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
details > summary { cursor: pointer; color: var(--soft); font-size: .875rem; }
details.thinking { border-left: 3px solid var(--line); padding-left: .9rem; margin: .6rem 0; color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin: .9rem 0; overflow: hidden; }
.card > .call { display: flex; gap: .6rem; align-items: baseline; padding: .6rem 1rem; background: var(--shade); font-size: .875rem; }
.card > .call b { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.card > .call .input { color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1; }
.state { font-size: .78rem; font-weight: 600; color: var(--good); } .state.bad { color: var(--bad); }
.card > .body { padding: .35rem 1rem .8rem; font-size: .94rem; }
figure { margin: .8rem 0; } figcaption { color: var(--soft); font-size: .8125rem; margin-top: .35rem; }
figure img { display: block; max-width: 100%; max-height: 34rem; border-radius: 8px; border: 1px solid var(--line); background: #fff; }
.pages { display: flex; gap: .75rem; overflow-x: auto; padding-bottom: .4rem; } .pages img { height: 19rem; width: auto; max-width: none; }
figure audio { width: 100%; }
.lost { border: 1px dashed var(--line); border-radius: 8px; padding: .7rem 1rem; color: var(--soft); font-size: .875rem; }
.went { color: var(--soft); } .note { color: var(--soft); font-size: .875rem; text-align: center; }
footer { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1rem; color: var(--soft); font-size: .8125rem; }
@media print { pre { max-height: none; } .card, figure, .user { break-inside: avoid; } main { padding: 0; } }
`;
