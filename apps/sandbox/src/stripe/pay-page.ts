import { groupDigits } from '#card/card-number.ts'
import { bankPage } from '#issuer/bank-page.ts'
import { money } from '#pages/dates-and-money.ts'
import { type Html, html } from '#pages/html.ts'
import { debitFor } from '#stripe/checkout.ts'
import type { Session } from '#stripe/object-types.ts'
import { STRIPE_CARDS } from '#stripe/test-cards.ts'

const NOTE = 'No money moves: this page is part of the sandbox.'
const page = (title: string, content: Html): Html =>
  bankPage(title, content, { name: 'Stripe Checkout', note: NOTE })

const sumOf = ({ amount_total, currency }: Session): string =>
  money(amount_total ?? 0, (currency ?? 'gbp').toUpperCase())

const facts = (session: Session, merchantName: string): Html => html`<dl>
<div><dt>To</dt><dd>${merchantName}</dd></div>
${session.line_items?.data.map(({ description }) => html`<div><dt>For</dt><dd>${description ?? ''}</dd></div>`)}
<div class="amount"><dt>Amount</dt><dd>${sumOf(session)}</dd></div>
</dl>`

const field = (label: string, name: string, autocomplete: string, more = html``): Html => html`
<label for="${name}">${label}</label>
<input type="text" id="${name}" name="${name}" autocomplete="${autocomplete}" required ${more}>`

const DIGITS = html`inputmode="numeric"`

const back = ({ cancel_url }: Session): Html | undefined =>
  cancel_url ? html`<a class="button leave" href="${cancel_url}">Back to the shop</a>` : undefined

const DEBIT_NAMES = { sepa_debit: 'SEPA Direct Debit', bacs_debit: 'Bacs Direct Debit' }

const debitForm = (session: Session): Html | undefined => {
  const debit = debitFor(session)
  return (
    debit &&
    html`<p style="margin-top: 1.5rem">Or by ${DEBIT_NAMES[debit]}. The order is complete before the money arrives:</p>
<form method="post" class="actions">
<button class="refuse" name="debit" value="arrives">Debit an account with money in it</button>
<button class="refuse" name="debit" value="fails">Debit an empty account</button>
</form>`
  )
}

export const payPage = (session: Session, merchantName: string, problem?: string): Html =>
  page(
    'Pay by card',
    html`${problem && html`<p class="alarm" role="alert">${problem}</p>`}
${facts(session, merchantName)}
<form method="post" class="actions"><div>
${field('Card number', 'pan', 'cc-number', DIGITS)}
${field('Expiry (MM / YY)', 'expiry', 'cc-exp', DIGITS)}
${field('Security code', 'cvc', 'cc-csc', DIGITS)}
${field('Name on the card', 'name', 'cc-name')}
</div>
<button class="approve">Pay ${sumOf(session)}</button>
${back(session)}
</form>
${debitForm(session)}
<details style="margin-top: 1.5rem"><summary>Test cards</summary>
<dl>${STRIPE_CARDS.map(({ pan, description }) => html`<div><dt>${groupDigits(pan)}</dt><dd>${description}</dd></div>`)}</dl>
</details>`,
  )

export const askPage = (session: Session, merchantName: string): Html =>
  bankPage(
    'Is this you?',
    html`${facts(session, merchantName)}
<form method="post" class="actions">
<button class="approve" name="answer" value="approve">Approve</button>
<button class="refuse" name="answer" value="refuse">Refuse</button>
</form>`,
  )

export const overPage = (reason: string, cancelUrl?: string): Html =>
  page(
    'This cannot be paid',
    html`<p>${reason}</p>${cancelUrl && html`<a class="button leave" href="${cancelUrl}">Back to the shop</a>`}`,
  )
