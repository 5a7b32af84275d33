import { money, shortDate } from '#pages/dates-and-money.ts'
import { type Html, html } from '#pages/html.ts'
import { refreshEvery, workbenchPage } from '#pages/workbench-page.ts'
import type { Payment } from '#payments/payment.ts'

/** The masked card, or the bank, or what the method is called. */
export const paidWith = ({ account, bank, method }: Payment): string =>
  account?.number ?? bank?.name ?? method

const row = (payment: Payment): Html => html`
<tr><td><a class="mono" href="/gate/${encodeURIComponent(payment.id)}">${payment.id}</a></td>
<td class="amount">${money(payment.amount, payment.currency)}</td>
<td>${payment.status}</td>
<td class="mono">${paidWith(payment)}</td>
<td class="quiet date">${shortDate(payment.createdAt)}</td>
<td class="amount quiet">${payment.callbacks.delivered} of ${payment.callbacks.tried}</td></tr>`

const table = (payments: Payment[]): Html => html`<div class="sheet"><table>
<caption>Payments, newest first</caption>
<thead><tr><th>Payment</th><th class="amount">Amount</th><th>Status</th><th>Paid with</th><th>Created</th>
<th class="amount">Callbacks</th></tr></thead>
<tbody>${payments.map(row)}</tbody>
</table></div>`

const STYLE = html`<style>td a { overflow-wrap: anywhere } .date { white-space: nowrap }</style>`

type Totals = { settled: Record<string, number>; refunded: Record<string, number> }

const sums = (totals: Record<string, number>): string =>
  Object.entries(totals)
    .map(([currency, amount]) => money(amount, currency))
    .join(', ') || 'nothing'

export const booksPage = (payments: Payment[], { settled, refunded }: Totals): Html =>
  workbenchPage(
    'Books',
    '/gate',
    html`<p class="quiet">The gateway’s payments, newest first. The last column counts the callbacks that were answered with 200, out of all tries.</p>
<p>Settled: ${sums(settled)}. Of that, refunded: ${sums(refunded)}.
<a href="/gate/settlement">Balances, fees and payouts</a></p>
<form method="post" action="/gate/payouts"><button class="second">Pay out now</button></form>
${
  payments.length > 0
    ? table(payments)
    : html`<p>No payments yet. Buy something in the shop with one of the
<a href="/#cards">test cards</a>; this list is refreshed every 5 seconds.</p>`
}`,
    html`${refreshEvery(5)}${STYLE}`,
  )
