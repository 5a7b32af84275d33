import { type Html, html } from '#pages/html.ts'

/** The bank's own look: nothing of the shop's, and nothing of the sandbox's other pages. */
const STYLE = html`<style>
:root { color-scheme: light dark; --page: #e9edf4; --sheet: #fff; --ink: #16223b; --quiet: #4d5a73; --line: #ccd4e2;
  --bar: #14284b; --action: #17408b; --on-action: #fff; --edge: #6d7b96; --gold: #e0b04b; --alarm: #a32015 }
@media (prefers-color-scheme: dark) { :root { --page: #0b1220; --sheet: #141e33; --ink: #e8edf7; --quiet: #a9b6cf;
  --line: #2c3a57; --bar: #0f1b34; --action: #9dbbf5; --on-action: #0b1220; --edge: #7f8fae; --alarm: #ffa59a } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; background: var(--page); color: var(--ink);
  font: 1rem/1.5 'Segoe UI', 'Helvetica Neue', Arial, sans-serif }
.bar { background: var(--bar); color: #fff; border-bottom: 3px solid var(--gold) }
.bar div { max-width: 28rem; margin: 0 auto; padding: .875rem 1.25rem; display: flex; gap: .75rem; align-items: center;
  font-weight: 600; letter-spacing: .01em }
.bar svg { flex: none; color: var(--gold) }
main { max-width: 28rem; margin: 0 auto; padding: 1.25rem 0 3rem }
.sheet { background: var(--sheet); padding: 1.5rem 1.25rem; border-block: 1px solid var(--line) }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; font-weight: 600; text-wrap: balance }
p { margin: 0 0 1rem; color: var(--quiet) }
dl { margin: 1.25rem 0 1.5rem; border-top: 1px solid var(--line) }
dl div { display: flex; justify-content: space-between; gap: 1.5rem; padding: .625rem 0;
  border-bottom: 1px solid var(--line) }
dt { color: var(--quiet) }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
.amount dd { font-weight: 700; font-size: 1.25rem; line-height: 1.2 }
form { margin: 0 }
label { display: block; font-weight: 600; margin-bottom: .25rem }
input[type=text] { display: block; width: 100%; min-height: 48px; padding: .5rem .75rem; margin-bottom: .75rem; font: inherit; font-size: 1.25rem;
  letter-spacing: .2em; color: inherit; background: var(--page); border: 1px solid var(--edge); border-radius: 4px }
.alarm { color: var(--alarm); font-weight: 600 }
.actions { display: grid; gap: .75rem }
fieldset { margin: 0; padding: 0; border: 0 }
legend { padding: 0; margin-bottom: .5rem; font-weight: 600 }
button, .button { display: block; width: 100%; min-height: 48px; padding: .6875rem 1rem; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; border-radius: 4px; border: 1px solid var(--action); cursor: pointer }
.approve { background: var(--action); color: var(--on-action) }
.refuse { background: transparent; color: var(--action) }
.leave { margin-bottom: -.75rem; border-color: transparent; color: var(--quiet); text-decoration: underline; text-underline-offset: .2em }
button:hover, .button:hover { filter: brightness(1.12) }
:focus-visible { outline: 3px solid var(--gold); outline-offset: 2px }
.foot { padding: 1rem 1.25rem 0; font-size: .875rem }
@media (min-width: 32rem) { main { padding-top: 3rem } .sheet { padding: 2rem; border: 1px solid var(--line); border-radius: 4px } }
</style>`

const BRIDGE = html`<svg width="32" height="24" viewBox="0 0 32 24" fill="none" stroke="currentColor" stroke-width="2"
  stroke-linecap="round" aria-hidden="true"><path d="M1 17h30M7 22V3M25 22V3M1 13C4 12 6 8 7 3c2 9 16 9 18 0 1 5 3 9 6 10M12 9.400v7.600M16 10v7M20 9.400v7.600"/></svg>`

export type Brand = { name: string; note: string }

const NORTHBRIDGE: Brand = {
  name: 'Northbridge Bank',
  note: 'Northbridge is not a real bank. No money moves: this page is part of the sandbox.',
}

export const bankPage = (
  title: string,
  content: Html,
  { name, note } = NORTHBRIDGE,
): Html => html`<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${name}</title>
${STYLE}
</head>
<body>
<header class="bar"><div>${BRIDGE}<span>${name}</span></div></header>
<main>
<div class="sheet">
<h1>${title}</h1>
${content}
</div>
<p class="foot">${note}</p>
</main>
</body>
</html>`
