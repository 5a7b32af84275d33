import type { Challenge, Payment } from '#gateway/payment.ts'
import { bankAnswer } from '#issuer/bank-answer.ts'
import { bankPage } from '#issuer/bank-page.ts'
import { money, shortDate } from '#pages/dates-and-money.ts'
import { type Html, html } from '#pages/html.ts'

type Asked = { payment: Payment; challenge: Challenge; md: string; termUrl: string; merchantName: string }

/** One form for each answer, complete without scripts: the button only sends it. */
const answerForm = (
  { challenge, md, termUrl }: Asked,
  isApproved: boolean,
  label: string,
  look: string,
) => html`
<form method="post" action="${termUrl}">
<input type="hidden" name="PaRes" value="${bankAnswer(challenge.paReq, isApproved)}">
<input type="hidden" name="MD" value="${md}">
<button class="${look}">${label}</button>
</form>`

export const confirmationPage = (asked: Asked): Html => {
  const { payment, merchantName } = asked
  const lastDigits = payment.account.number.slice(-4)
  return bankPage(
    'Confirm your payment',
    html`<p>A shop wants to charge your card. Approve only if you are buying this yourself.</p>
<dl>
<div class="amount"><dt>Amount</dt><dd>${money(payment.amount, payment.currency)}</dd></div>
<div><dt>Merchant</dt><dd>${merchantName}</dd></div>
<div><dt>For</dt><dd>${payment.description || 'Not stated'}</dd></div>
<div><dt>Card</dt><dd><span aria-label="ending in ${lastDigits}">•••• •••• •••• ${lastDigits}</span></dd></div>
<div><dt>Date</dt><dd>${shortDate(payment.createdAt)}</dd></div>
</dl>
<div class="actions">
${answerForm(asked, true, 'Approve', 'approve')}
${answerForm(asked, false, 'Refuse', 'refuse')}
<a class="button leave" href="${payment.declineUrl}">Abandon</a>
</div>`,
  )
}

export const notAskedPage = (reason: string): Html =>
  bankPage(
    'Nothing to confirm',
    html`<p>${reason}</p><p>Go back to the shop and look at your order there.</p>`,
  )
