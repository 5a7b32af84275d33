import { eventFaultForm } from '#faults/event-faults.ts'
import type { Faults } from '#faults/faults.ts'
import { buttonTo, DASHBOARD_STYLE, table } from '#pages/dashboard-parts.ts'
import { money, shortDate } from '#pages/dates-and-money.ts'
import { type Html, html } from '#pages/html.ts'
import { refreshEvery, workbenchPage } from '#pages/workbench-page.ts'
import { MOVES } from '#stripe/disputes.ts'
import type { Charge, Dispute, Endpoint, Intent, Payout, Refund, Session } from '#stripe/object-types.ts'
import type { StripeEvent } from '#stripe/stripe-books.ts'

const sum = (amount: number | null, currency: string | null): string =>
  money(amount ?? 0, (currency ?? 'gbp').toUpperCase())

const button = (action: string, label: string): Html => buttonTo(`/stripe/${action}`, label)

const sessionRow = (session: Session): Html => html`
<tr><td class="line"><a class="mono" href="/stripe/sessions/${session.id}">${session.client_reference_id ?? session.id}</a></td>
<td class="amount">${sum(session.amount_total, session.currency)}</td>
<td>${`${session.status}, ${session.payment_status}`}</td>
<td class="quiet date">${shortDate(session.created * 1_000)}</td></tr>`

const payoutRow = (payout: Payout): Html => html`
<tr><td class="mono line">${payout.id}</td><td class="amount">${sum(payout.amount, payout.currency)}</td><td>${payout.status}</td>
<td class="line">${['in_transit', 'paid'].includes(payout.status) && button(`payouts/${payout.id}/fail`, 'Let it fail')}</td></tr>`

const endpointRow = (endpoint: Endpoint): Html => html`
<tr><td class="line">${endpoint.url}</td><td class="mono">${endpoint.signingSecret}</td><td>${endpoint.status}</td>
<td class="line">${button(`endpoints/${endpoint.id}/roll`, 'Roll the secret')}</td></tr>`

type Overview = {
  sessions: Session[]
  payouts: Payout[]
  endpoints: Endpoint[]
  faults: Faults
  url: string
  key: string
}

export const dashboardPage = ({ sessions, payouts, endpoints, faults, url, key }: Overview): Html =>
  workbenchPage(
    'Stripe',
    '/stripe',
    html`<p class="quiet">The account in test mode, as the shop and its customers see it. A shop reaches it at <code>${url}</code>
with the key <code>${key}</code>.</p>
<h2>Checkout sessions</h2>
${table('Checkout sessions, newest first', ['Reference', 'Amount', 'Status', 'Created'], sessions.map(sessionRow))}
<h2>Payouts</h2>
${table('Payouts, newest first', ['Payout', 'Amount', 'Status', ''], payouts.map(payoutRow))}
<p style="margin-top: 1rem">${button('payouts', 'Pay out now')}</p>
<h2>Webhook endpoints</h2>
<p class="quiet">For an hour after a secret is rolled, the old one signs too.</p>
${table('Webhook endpoints', ['Address', 'Secret', 'Status', ''], endpoints.map(endpointRow))}
${eventFaultForm('/stripe', faults)}`,
    DASHBOARD_STYLE,
  )

type Payment = {
  session: Session
  intent: Intent
  charges: Charge[]
  refunds: Refund[]
  disputes: Dispute[]
  events: StripeEvent[]
}

const fact = (name: string, value: string | null | undefined): Html | undefined =>
  value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : undefined

const chargeRow = (charge: Charge): Html => html`
<tr><td class="mono line">${charge.id}</td><td class="amount">${sum(charge.amount, charge.currency)}</td>
<td>${charge.status}${charge.failure_code ? `: ${charge.failure_code}` : ''}</td>
<td class="line">${charge.paid && !charge.disputed && button(`charges/${charge.id}/dispute`, 'Dispute')}</td></tr>`

const refundRow = (refund: Refund): Html => html`
<tr><td class="mono line">${refund.id}</td><td class="amount">${sum(refund.amount, refund.currency)}</td><td>${refund.status ?? ''}</td>
<td class="line">${['pending', 'succeeded'].includes(refund.status ?? '') && button(`refunds/${refund.id}/fail`, 'Let it fail')}</td></tr>`

const disputeRow = (dispute: Dispute): Html => {
  const moves = MOVES[dispute.status as keyof typeof MOVES]
  return html`
<tr><td class="mono line">${dispute.id}</td><td class="amount">${sum(dispute.amount, dispute.currency)}</td><td>${dispute.status}</td>
<td class="line">${
    moves.length > 0 &&
    html`<form method="post" action="/stripe/disputes/${dispute.id}/move"><select name="status" aria-label="To">${moves.map(
      (status) => html`<option>${status}</option>`,
    )}</select><button class="second">Move</button></form>`
  }</td></tr>`
}

const eventRow = (event: StripeEvent): Html => html`
<tr><td class="line">${event.type}</td><td class="mono">${event.id}</td>
<td>${event.pending_webhooks > 0 ? `${event.pending_webhooks} to deliver` : 'delivered'}</td></tr>`

const openActions = (id: string, url: string): Html => html`
<p style="margin-top: 1rem"><a href="${url}">The customer’s page</a></p>${button(`sessions/${id}/expire`, 'Expire now')}`

export const paymentPage = ({ session, intent, charges, refunds, disputes, events }: Payment): Html =>
  workbenchPage(
    session.client_reference_id ?? session.id,
    '/stripe',
    html`<dl class="facts">
${fact('Session', `${session.id}: ${session.status}, ${session.payment_status}`)}
${fact('Payment', `${intent.id}: ${intent.status}`)}
${fact('Amount', sum(session.amount_total, session.currency))}
${fact('Last refusal', intent.last_payment_error?.message)}
</dl>
${session.url ? openActions(session.id, session.url) : ''}
<h2>Charges</h2>${table('Charges', ['Charge', 'Amount', 'Status', ''], charges.map(chargeRow))}
<h2>Refunds</h2>${table('Refunds', ['Refund', 'Amount', 'Status', ''], refunds.map(refundRow))}
<h2>Disputes</h2>${table('Disputes', ['Dispute', 'Amount', 'Status', ''], disputes.map(disputeRow))}
<h2>Events</h2>${table('Events', ['Type', 'Event', ''], events.map(eventRow))}`,
    html`${refreshEvery(5)}${DASHBOARD_STYLE}`,
  )
