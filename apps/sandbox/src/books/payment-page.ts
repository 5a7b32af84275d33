import { paidWith } from '#books/books-page.ts'
import { money, shortDate } from '#pages/dates-and-money.ts'
import { type Html, html } from '#pages/html.ts'
import { workbenchPage } from '#pages/workbench-page.ts'
import { CODES } from '#payments/codes.ts'
import {
  type Chargeback,
  type Operation,
  type Payment,
  receivedOf,
  type Sum,
  saleOf,
  sumOf,
} from '#payments/payment.ts'

const moneyOf = ({ amount, currency }: Sum): string => money(amount, currency)

const operationRow = (payment: Payment, operation: Operation): Html => html`
<tr><td>${operation.type}</td><td class="amount">${moneyOf(sumOf(payment, operation))}</td>
<td>${operation.status}</td><td class="mono">${operation.authCode ?? ''}</td>
<td class="line quiet">${operation.code} ${CODES[operation.code]}</td></tr>`

const fact = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const button = (action: string, fields: Record<string, string>, label: string): Html => html`
<form method="post" action="${action}" style="display: inline-block; margin: .5rem .5rem 0 0">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${label}</button></form>`

const chargebackRow = (payment: Payment, { id, stage, status, reasonCode, amount }: Chargeback): Html => html`
<tr><td class="mono">${String(id)}</td><td>${stage.replaceAll('_', ' ')}</td><td class="mono">${reasonCode}</td>
<td class="amount">${money(amount, receivedOf(payment).currency)}</td><td>${status}
${
  status === 'new' || status === 'challenged'
    ? html`${button(`/gate/chargebacks/${id}`, { status: 'won' }, 'Merchant wins')}${button(`/gate/chargebacks/${id}`, { status: 'lost' }, 'Merchant loses')}`
    : status === 'won'
      ? button(`/gate/chargebacks/${id}`, { stage: 'pre_arbitration' }, 'Bank goes on')
      : button(`/gate/chargebacks/${id}`, { status: 'won' }, 'Merchant wins after all')
}</td></tr>`

/** What the card holder's bank does; the merchant hears of it by the notice of the day, which is sent when it is asked for. */
const chargebackPart = (payment: Payment): Html => {
  const { chargebacks = [], account } = payment
  if (!account || saleOf(payment).status !== 'success') return html``
  return html`
<h2>Chargebacks</h2>
${
  chargebacks.length > 0 &&
  html`<div class="sheet"><table><caption>Chargebacks</caption>
<thead><tr><th>Id</th><th>Stage</th><th>Reason</th><th class="amount">Amount</th><th>Status</th></tr></thead>
<tbody>${chargebacks.map((one) => chargebackRow(payment, one))}</tbody></table></div>`
}
${button(`/gate/payments/${encodeURIComponent(payment.id)}/chargebacks`, { reason_code: '10.4' }, 'Charge all of it back')}
${button('/gate/chargebacks/notice', {}, 'Send the notice of the day')}`
}

const STYLE = html`<style>dl { margin: 0 } dl div { padding: .375rem 0 } dt { font-size: .875rem; color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere } @media (min-width: 40rem) { dl div { display: grid; grid-template-columns: 9rem 1fr } }
</style>`

export const paymentPage = (payment: Payment): Html =>
  workbenchPage(
    `Payment ${payment.id}`,
    undefined,
    html`<dl>
${fact('Status', payment.status)}
${fact('Amount', money(payment.amount, payment.currency))}
${payment.received && fact('Received', money(payment.received.amount, payment.received.currency))}
${payment.remaining !== receivedOf(payment).amount && fact('Left after refunds', money(payment.remaining, receivedOf(payment).currency))}
${fact('For', payment.description || 'Not stated')}
${fact('Paid with', [paidWith(payment), payment.account?.card_holder].filter(Boolean).join(', '))}
${payment.wait && fact('Waiting for', payment.wait.action.replaceAll('-', ' '))}
${fact('Created', shortDate(payment.createdAt))}
${fact('Callbacks', `${payment.callbacks.delivered} answered with 200, of ${payment.callbacks.tried} tries`)}
${fact('Sent to', payment.callbackUrl ?? 'nobody: the sale named no address')}
${payment.errors && fact('Errors', payment.errors.map((error) => `${error.code} ${error.message}`).join('; '))}
</dl>
<h2>Operations</h2>
<div class="sheet"><table>
<caption>Operations</caption>
<thead><tr><th>Type</th><th class="amount">Amount</th><th>Status</th><th>Authorisation</th><th>Result</th></tr></thead>
<tbody>${payment.operations.map((operation) => operationRow(payment, operation))}</tbody>
</table></div>
${chargebackPart(payment)}
<p style="margin-top: 1.5rem"><a href="/gate">All payments</a></p>`,
    STYLE,
  )
