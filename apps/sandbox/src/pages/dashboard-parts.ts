import { type Html, html } from '#pages/html.ts'

/** For the pages that stand in for a vendor's dashboard. */
export const DASHBOARD_STYLE = html`<style>td, dd { overflow-wrap: anywhere } .date { white-space: nowrap } td form { display: inline-flex; flex-wrap: wrap; gap: .5rem }
td select { width: auto } td button { white-space: nowrap } td:empty { display: none }
.faults { padding: 1rem } .faults .pair { display: grid; gap: .5rem 2rem; margin-bottom: 1rem }
.facts { margin: 0 } .facts dt { font-size: .875rem; color: var(--quiet) } .facts dd { margin: 0 }
@media (min-width: 40rem) { .faults .pair { grid-template-columns: 1fr 1fr; max-width: 44rem } }</style>`

export const table = (caption: string, heads: readonly string[], rows: readonly Html[]): Html =>
  rows.length === 0
    ? html`<p class="quiet">None yet.</p>`
    : html`<div class="sheet"><table><caption>${caption}</caption>
<thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`

export const buttonTo = (action: string, label: string): Html =>
  html`<form method="post" action="${action}"><button class="second">${label}</button></form>`
