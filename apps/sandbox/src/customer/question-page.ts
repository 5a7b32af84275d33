import { type Brand, bankPage } from '#issuer/bank-page.ts'
import { leaveLink, paymentFacts } from '#issuer/payment-facts.ts'
import { type Html, html } from '#pages/html.ts'
import type { NextActionName } from '#payments/next-action.ts'
import { type Payment, returnUrlAfter } from '#payments/payment.ts'

const SANDBOX_NOTE = 'No money moves: this page is part of the sandbox.'

const BLIK: Brand = { name: 'Blik', note: `This is not Blik. ${SANDBOX_NOTE}` }
const BANK_APP: Brand = { name: 'Your bank’s app', note: SANDBOX_NOTE }
const PROVIDER: Brand = { name: '3-D Secure', note: SANDBOX_NOTE }

const brandOf = ({ bank, wait }: Payment): Brand | undefined => {
  if (bank) return { name: bank.name, note: `This is not ${bank.name}. ${SANDBOX_NOTE}` }
  const brands: Partial<Record<NextActionName, Brand>> = {
    'blik-code': BLIK,
    'bank-app': BANK_APP,
    'provider-challenge': PROVIDER,
  }
  return wait && brands[wait.action]
}

type Wording = { title: string; text: string; approve: string }

const PAYING_FROM_ACCOUNT: Wording = {
  title: 'Pay from your account',
  text: 'A shop is asking your bank for this payment. Approve only if you are buying this yourself.',
  approve: 'Approve',
}

const WORDINGS: Partial<Record<NextActionName, Wording>> = {
  bank: PAYING_FROM_ACCOUNT,
  'bank-by-post': PAYING_FROM_ACCOUNT,
  'provider-challenge': {
    title: 'Confirm your payment',
    text: 'A shop wants to charge your card. Approve only if you are buying this yourself.',
    approve: 'Approve',
  },
  qr: {
    title: 'Pay by QR code',
    text: 'You scanned a shop’s code. Approve only if you are buying this yourself.',
    approve: 'Approve',
  },
  'blik-code': {
    title: 'Enter your Blik code',
    text: 'Your bank’s app shows a six-digit code.',
    approve: 'Pay',
  },
  'bank-app': {
    title: 'Confirm in your bank’s app',
    text: 'A Blik payment is waiting for you. Confirm it only if you are buying this yourself.',
    approve: 'Confirm',
  },
}

const codeField = (isWrong: boolean): Html => html`
<label for="code">Six-digit code</label>${
  isWrong &&
  html`
<p class="alarm" id="wrong">This code is not right. Enter the code that the app shows now.</p>`
}
<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}"
 maxlength="6" required autofocus${isWrong && html` aria-invalid="true" aria-describedby="wrong"`}>`

type Question = { payment: Payment; session: string; merchantName: string; isCodeWrong?: boolean }

/** One form with both answers, complete without scripts. */
export const questionPage = ({ payment, session, merchantName, isCodeWrong = false }: Question): Html => {
  const action = payment.wait?.action ?? 'bank'
  const { title, text, approve } = WORDINGS[action] ?? PAYING_FROM_ACCOUNT
  // Who scanned a code has come from another screen: there is no page to go back to on this one.
  const backUrl = action === 'qr' ? undefined : returnUrlAfter(payment, 'return')
  return bankPage(
    title,
    html`<p>${text}</p>
${paymentFacts(payment, merchantName)}
<form method="post" action="/at-bank/${encodeURIComponent(payment.id)}">
<input type="hidden" name="session" value="${session}">${action === 'blik-code' && codeField(isCodeWrong)}
<div class="actions">
<button class="approve" name="answer" value="approve">${approve}</button>
<button class="refuse" name="answer" value="refuse" formnovalidate>Refuse</button>
${leaveLink(backUrl, 'Leave without an answer')}
</div>
</form>`,
    brandOf(payment),
  )
}

export const answeredPage = (isApproved: boolean): Html =>
  bankPage(
    isApproved ? 'Approved' : 'Refused',
    html`<p>Thank you. Go back to the shop, which will know in a moment.</p>`,
    BANK_APP,
  )
