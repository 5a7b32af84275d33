import { bankPage } from '#issuer/bank-page.ts'
import { leaveLink, paymentFacts } from '#issuer/payment-facts.ts'
import { type Html, html } from '#pages/html.ts'
import { type Payment, returnUrlAfter } from '#payments/payment.ts'

type Request = {
  payment: Payment
  merchantName: string
  /** Where the answer is posted to, and as what. */
  action: string
  fieldsFor: (isApproved: boolean) => Record<string, string>
}

const hiddenFields = (fields: Record<string, string>): Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`
<input type="hidden" name="${name}" value="${value}">`,
  )

/** One form for each answer, complete without scripts: the button only sends it. */
const answerForm = ({ action, fieldsFor }: Request, isApproved: boolean, label: string, look: string) => html`
<form method="post" action="${action}">${hiddenFields(fieldsFor(isApproved))}
<button class="${look}">${label}</button>
</form>`

export const confirmationPage = (request: Request): Html =>
  bankPage(
    'Confirm your payment',
    html`<p>A shop wants to charge your card. Approve only if you are buying this yourself.</p>
${paymentFacts(request.payment, request.merchantName)}
<div class="actions">
${answerForm(request, true, 'Approve', 'approve')}
${answerForm(request, false, 'Refuse', 'refuse')}
${leaveLink(returnUrlAfter(request.payment, 'decline'), 'Abandon')}
</div>`,
  )

export const notAskedPage = (reason: string): Html =>
  bankPage(
    'Nothing to confirm',
    html`<p>${reason}</p><p>Go back to the shop and look at your order there.</p>`,
  )
