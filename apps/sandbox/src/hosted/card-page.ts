import { backLink, hostedPage, pageFacts } from '#hosted/page-brand.ts'
import type { PageQuery } from '#hosted/page-query.ts'
import { money } from '#pages/dates-and-money.ts'
import { type Html, html } from '#pages/html.ts'

const field = (label: string, name: string, autocomplete: string, more = html``): Html => html`
<label for="${name}">${label}</label>
<input type="text" id="${name}" name="${name}" autocomplete="${autocomplete}" required ${more}>`

const DIGITS = html`inputmode="numeric"`

/** The gateway's own card form. The shop never sees what is typed here. */
export const cardPage = (query: PageQuery, merchantName: string, action: string, problem?: string): Html =>
  hostedPage(
    'Pay by card',
    html`${problem && html`<p class="alarm" role="alert">${problem}</p>`}
${pageFacts(query, merchantName)}
<form method="post" action="${action}" class="actions"><div>
${field('Card number', 'pan', 'cc-number', DIGITS)}
${field('Name on the card', 'card_holder', 'cc-name')}
${field('Expiry month', 'month', 'cc-exp-month', DIGITS)}
${field('Expiry year', 'year', 'cc-exp-year', DIGITS)}
${field('Security code', 'cvv', 'cc-csc', DIGITS)}
</div>
<button class="approve">Pay ${money(Number(query.payment_amount), query.payment_currency)}</button>
${backLink(query)}
</form>`,
    'Any test card works. The bank’s own questions are left out here.',
  )
