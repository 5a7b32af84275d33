import type { PageQuery } from '#hosted/page-query.ts'
import { bankPage } from '#issuer/bank-page.ts'
import { money } from '#pages/dates-and-money.ts'
import { type Html, html } from '#pages/html.ts'

const NAME = 'Payment Page'

export const hostedPage = (title: string, content: Html, note: string): Html =>
  bankPage(title, content, { name: NAME, note: `No money moves: this page is part of the sandbox. ${note}` })

/** To whom, and how much. */
export const pageFacts = (query: PageQuery, merchantName: string): Html => html`<dl>
<div><dt>To</dt><dd>${merchantName}</dd></div>
<div class="amount"><dt>Amount</dt><dd>${money(Number(query.payment_amount), query.payment_currency)}</dd></div>
</dl>`

export const backLink = ({ merchant_return_url: url }: PageQuery): Html | undefined =>
  url ? html`<a class="button leave" href="${url}">Back to the shop</a>` : undefined

export const noPage = (reason: string): Html =>
  hostedPage(
    'This cannot be paid',
    html`<p>${reason}</p>`,
    'Go back to the shop and look at your order there.',
  )
