import { money, shortDate } from '#pages/dates-and-money.ts'
import { type Html, html } from '#pages/html.ts'
import type { Payment } from '#payments/payment.ts'

const cardFact = (number: string): Html => {
  const lastDigits = number.slice(-4)
  return html`
<div><dt>Card</dt><dd><span aria-label="ending in ${lastDigits}">•••• •••• •••• ${lastDigits}</span></dd></div>`
}

/** What anyone who is asked about a payment has to see. */
export const paymentFacts = (payment: Payment, merchantName: string): Html => html`<dl>
<div class="amount"><dt>Amount</dt><dd>${money(payment.amount, payment.currency)}</dd></div>
<div><dt>Merchant</dt><dd>${merchantName}</dd></div>
<div><dt>For</dt><dd>${payment.description || 'Not stated'}</dd></div>${payment.account && cardFact(payment.account.number)}
<div><dt>Date</dt><dd>${shortDate(payment.createdAt)}</dd></div>
</dl>`

/** The way back without an answer. */
export const leaveLink = (url: string | undefined, label: string): Html | undefined =>
  url === undefined ? undefined : html`<a class="button leave" href="${url}">${label}</a>`
