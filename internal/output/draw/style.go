package draw

// pageStyle is how a page looks. The colours are those of svgStyle.
const pageStyle = `
:root { color-scheme: light dark; --page: #ffffff; --text: #1f2328; --soft: #59636e; --rim: #d0d7de; --code: #f6f8fa; --now: #1a7f37; --wrong: #cf222e; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.5rem; margin: 0; }
.count { color: var(--soft); margin: .25rem 0 1.5rem; }
ol { list-style: none; margin: 0; padding: 0; }
ol > li { position: relative; display: flow-root; padding-left: calc(var(--lane) * 26px + 48px); }
ol > li > svg { position: absolute; left: 0; top: 0; }
.words { display: block; margin: 0; padding: 8px 10px 10px; border-radius: 8px; overflow-wrap: anywhere; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--code); }
summary:focus-visible, a:focus-visible { outline: 2px solid #0969da; outline-offset: -2px; }
.id { font-weight: 600; margin-right: .4rem; }
.facts, .about { color: var(--soft); }
.facts b { color: var(--now); }
.about, .words > .wrong { display: block; }
.wrong { color: var(--wrong); }
.skipped > svg, .skipped .words { opacity: .5; }
article { margin: 2px 0 20px 10px; padding: 2px 18px 10px; border: 1px solid var(--rim); border-radius: 8px; overflow-wrap: anywhere; }
article h2, article h3 { font-size: 1.05rem; margin: 1.2rem 0 .3rem; } article h4, article h5, article h6 { font-size: .95rem; margin: 1rem 0 .2rem; }
article p, article ul { margin: .3rem 0; } article p, article ul li { white-space: pre-line; }
article ul { padding-left: 1.2rem; list-style: disc; } .number { color: var(--soft); } article li:has(> .number) { list-style: none; margin-left: -1.2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: .8rem 0; font-size: .85rem; color: var(--soft); } dd { margin: 0; color: var(--text); }
code, pre { font: .87em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--code); border-radius: 5px; }
code { padding: .1em .3em; } pre { padding: .7rem .9rem; overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0; display: block; overflow-x: auto; } th, td { border: 1px solid var(--rim); padding: .25rem .6rem; text-align: left; vertical-align: top; }
a { color: #0969da; }
.lane { fill: none; stroke-width: 2; }
.l0 { stroke: #0969da; } .l1 { stroke: #8250df; } .l2 { stroke: #bf8700; } .l3 { stroke: #1b7c83; } .l4 { stroke: #bf3989; } .l5 { stroke: #bc4c00; }
.dot { fill: var(--page); stroke-width: 2.5; } .dot.archived { stroke-width: 2; stroke: #8c959f; } .core { fill: #8c959f; }
.dot.current { fill: var(--now); stroke: var(--now); } .halo { fill: var(--now); opacity: .18; }
.dot.sick, .cross { stroke: var(--wrong); } .cross { stroke-width: 2; fill: none; stroke-linecap: round; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --text: #f0f6fc; --soft: #9198a1; --rim: #3d444d; --code: #161b22; --now: #3fb950; --wrong: #f85149; }
  .l0 { stroke: #4493f8; } .l1 { stroke: #ab7df8; } .l2 { stroke: #d29922; } .l3 { stroke: #39c5cf; } .l4 { stroke: #db61a2; } .l5 { stroke: #f0883e; }
  .dot.archived { stroke: #9198a1; } .core { fill: #9198a1; } a { color: #4493f8; } summary:focus-visible, a:focus-visible { outline-color: #4493f8; }
}
`
