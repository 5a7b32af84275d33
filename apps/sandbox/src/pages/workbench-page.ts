import { type Html, html } from '#pages/html.ts'

/** The look of everything that is for people who try the shop out, as against its customers. */
const STYLE = html`<style>
:root { color-scheme: light dark; --page: #f3f4f7; --sheet: #fff; --ink: #1c2130; --quiet: #555d70; --line: #d9dce4;
  --edge: #757d91; --accent: #4a3ab5; --on-accent: #fff; --alarm: #a8320f; --mono: ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace }
@media (prefers-color-scheme: dark) { :root { --page: #13151c; --sheet: #1b1e28; --ink: #e7e9f0; --quiet: #a4abbd;
  --line: #303544; --edge: #7d869b; --accent: #b3a8ff; --on-accent: #15121f; --alarm: #ff9d7e } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, 'Segoe UI', Roboto, sans-serif }
a { color: var(--accent); text-underline-offset: .15em }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.wide { max-width: 60rem; margin: 0 auto; padding: 0 1rem }
.top { background: var(--sheet); border-bottom: 1px solid var(--line) }
.top .wide { display: flex; flex-wrap: wrap; align-items: center; column-gap: 1.5rem }
.top b { font-family: var(--mono); padding: .75rem 0 }
.top nav { display: flex; gap: .25rem; margin-left: -.5rem }
.top nav a { padding: .75rem .5rem; color: var(--quiet); text-decoration: none; border-bottom: 2px solid transparent }
.top nav a:hover { color: var(--ink) }
.top nav a[aria-current] { color: var(--ink); border-color: var(--accent) }
main.wide { padding-block: 1.5rem 4rem }
h1 { font-size: 1.625rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere }
h2 { font-size: 1.125rem; margin: 2.5rem 0 .5rem }
p { margin: 0 0 1rem; max-width: 42rem }
.quiet { color: var(--quiet) }
code, .mono { font-family: var(--mono); font-size: .9375em }
code { overflow-wrap: anywhere }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; overflow: hidden }
table { width: 100%; border-collapse: collapse }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
th, td { text-align: left; padding: .5rem 1rem; vertical-align: top }
th { font-size: .875rem; font-weight: 600; color: var(--quiet) }
tr + tr, tbody tr { border-top: 1px solid var(--line) }
.number { font-family: var(--mono); white-space: nowrap; font-variant-numeric: tabular-nums; user-select: all }
.amount { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.bad { color: var(--alarm) }
label { display: block }
input[type=number], input[type=text], select { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--edge);
  border-radius: 4px; padding: .5rem .625rem; min-height: 44px; width: 100%; max-width: 20rem }
input[type=checkbox] { width: 1.25rem; height: 1.25rem; margin: .125rem 0 0; accent-color: var(--accent); flex: none }
button, .button { font: inherit; font-weight: 600; min-height: 44px; padding: .5rem 1.25rem; border-radius: 4px;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer }
button.second { background: transparent; color: var(--accent) }
@media (max-width: 40rem) { thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  tr { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .625rem 1rem } td { padding: 0 }
  td.line { grid-column: 1 / -1 } tbody tr:first-child { border-top: 0 } }
</style>`

const PLACES = [
  ['/', 'Overview'],
  ['/mail', 'Inbox'],
  ['/gate', 'Books'],
  ['/stripe', 'Stripe'],
  ['/btcpay', 'BTCPay'],
  ['/bank', 'Bank'],
] as const

export type Place = (typeof PLACES)[number][0]

export const workbenchPage = (title: string, place: Place | undefined, content: Html, head?: Html): Html =>
  html`<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Sandbox</title>
${head}
${STYLE}
</head>
<body>
<header class="top"><div class="wide"><b>Sandbox</b><nav aria-label="Pages">${PLACES.map(
    ([path, name]) => html`<a href="${path}"${path === place && html` aria-current="page"`}>${name}</a>`,
  )}</nav></div></header>
<main class="wide">
<h1>${title}</h1>
${content}
</main>
</body>
</html>`

/** Lists that fill while someone looks at them. Without scripts, the browser asks again by itself. */
export const refreshEvery = (seconds: number): Html => html`<meta http-equiv="refresh" content="${seconds}">`
