import type { BtcpayServer } from '#btcpay/btcpay-server.ts'
import { dueOf, paidOf } from '#btcpay/invoices.ts'
import { bitcoinOf, minorOf, rateOf } from '#btcpay/money.ts'
import { leftOf, MOVES, payoutsOf } from '#btcpay/pull-payments.ts'
import type { Invoice, Payout, PullPayment } from '#btcpay/records.ts'
import { eventFaultForm } from '#faults/event-faults.ts'
import { bankPage } from '#issuer/bank-page.ts'
import { buttonTo, DASHBOARD_STYLE, table } from '#pages/dashboard-parts.ts'
import { money, shortDate } from '#pages/dates-and-money.ts'
import { type Html, html } from '#pages/html.ts'
import { workbenchPage } from '#pages/workbench-page.ts'

const ON_THE_PAGE = 100
const BRAND = { name: 'BTCPay Server', note: 'No money moves: this page is part of the sandbox.' }

const stateOf = ({ status, additionalStatus }: Invoice): string =>
  additionalStatus === 'None' ? status : `${status}, ${additionalStatus}`

const PAY = { full: 'Pay in full', lightning: 'Pay with Lightning', part: 'Pay 60 %', over: 'Pay 150 %' }
const NETWORK = {
  confirm: 'Confirm by one block',
  replace: 'Replace the last transaction by another',
  expire: 'Let the time pass',
  late: 'Let the time pass, then pay',
  stuck: 'Let a day pass without a block',
}

const buttons = (acts: Record<string, string>, look: string): Html[] =>
  Object.entries(acts).map(
    ([name, label]) => html`<button class="${look}" name="act" value="${name}">${label}</button>`,
  )

const row = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

export const invoicePage = (invoice: Invoice, merchantName: string): Html => {
  const { amount, currency, metadata, checkout, payments } = invoice
  const due = dueOf(invoice)
  return bankPage(
    invoice.status === 'New' && due > 0 ? 'Pay with Bitcoin' : stateOf(invoice),
    html`<dl>
${row('To', merchantName)}
${typeof metadata.itemDesc === 'string' && row('For', metadata.itemDesc.slice(0, 200))}
${row('Amount', money(minorOf(amount), currency))}
${row('Rate', `1 BTC = ${money(rateOf(currency) * 100, currency)}`)}
${paidOf(invoice) > 0 && row('Received', money(paidOf(invoice), currency))}
<div class="amount"><dt>To pay</dt><dd>${bitcoinOf(due, currency)} BTC</dd></div>
${row('State', stateOf(invoice))}
</dl>
<form method="post" class="actions">${buttons(PAY, 'approve')}
<p style="margin: 1rem 0 0">What happens in the network:</p>
${buttons(NETWORK, 'refuse')}</form>
<dl>${payments.map(({ method, minor, status, confirmations }) => row(`${money(minor, currency)}, ${method}`, `${status}, confirmed ${confirmations} times`))}</dl>
${checkout.redirectURL !== null && html`<a class="button leave" href="${checkout.redirectURL}">Return to ${merchantName}</a>`}`,
    BRAND,
  )
}

const sum = (amount: number | string, currency: string): string => `${amount} ${currency}`

export const claimPage = (server: BtcpayServer, pullPayment: PullPayment, problem?: string): Html => {
  const left = leftOf(server, pullPayment)
  const { currency, archived } = pullPayment
  return bankPage(
    pullPayment.name,
    html`${problem && html`<p class="alarm" role="alert">${problem}</p>`}
<dl>${row('Promised', sum(pullPayment.amount, currency))}
${payoutsOf(server, pullPayment, true).map(({ originalAmount, state }) => row(state, sum(originalAmount, currency)))}
<div class="amount"><dt>Left to claim</dt><dd>${sum(left, currency)}</dd></div></dl>
${archived && html`<p>This can no longer be claimed.</p>`}
${
  !archived &&
  left > 0 &&
  html`<form method="post" class="actions"><div><label for="destination">Your address or Lightning invoice</label>
<input type="text" id="destination" name="destination" autocomplete="off" required></div>
<button class="approve">Claim</button></form>`
}`,
    BRAND,
  )
}

const invoiceRow = (invoice: Invoice): Html => html`
<tr><td class="line"><a class="mono" href="/i/${invoice.id}">${String(invoice.metadata.orderId ?? invoice.id).slice(0, 100)}</a></td>
<td class="amount">${money(minorOf(invoice.amount), invoice.currency)}</td><td>${stateOf(invoice)}</td>
<td class="quiet date">${shortDate(invoice.createdTime * 1_000)}</td></tr>`

const payoutRow = ({ id, originalAmount, originalCurrency, state }: Payout): Html => html`
<tr><td class="mono line">${id}</td><td class="amount">${sum(originalAmount, originalCurrency)}</td><td>${state}</td>
<td class="line">${MOVES[state].map((to) => buttonTo(`/btcpay/payouts/${id}/${to}`, to))}</td></tr>`

const pullRow = ({ id, name, amount, currency, archived }: PullPayment): Html => html`
<tr><td class="line"><a href="/pull-payments/${id}">${name}</a></td><td class="amount">${sum(amount, currency)}</td>
<td>${archived ? 'archived' : 'open'}</td></tr>`

export const dashboardPage = ({ books, faults, publicUrl, settings }: BtcpayServer): Html =>
  workbenchPage(
    'BTCPay',
    '/btcpay',
    html`<p class="quiet">A BTCPay Server with one store. A shop reaches it at <code>${publicUrl}</code>, store
<code>${settings.btcpayStore}</code>, key <code>${settings.btcpayKey}</code>.</p>
<h2>Invoices</h2>
${table('Invoices, newest first', ['Order', 'Amount', 'Status', 'Created'], books.invoices.all().slice(0, ON_THE_PAGE).map(invoiceRow))}
<h2>Pull payments</h2>
${table('Pull payments, newest first', ['Name', 'Amount', 'Status'], books.pullPayments.all().slice(0, ON_THE_PAGE).map(pullRow))}
<h2>Payouts</h2>
${table('Payouts, newest first', ['Payout', 'Amount', 'State', ''], books.payouts.all().slice(0, ON_THE_PAGE).map(payoutRow))}
<h2>Webhooks</h2>
${table(
  'Webhooks',
  ['Address', 'Secret'],
  books.webhooks
    .all()
    .map(({ url, secret }) => html`<tr><td class="line">${url}</td><td class="mono">${secret}</td></tr>`),
)}
${eventFaultForm('/btcpay', faults.switches)}`,
    DASHBOARD_STYLE,
  )
