import { endDebit, expireInTime } from '#stripe/checkout.ts'
import { resumeDisputes } from '#stripe/disputes.ts'
import { arrive } from '#stripe/payouts.ts'
import { advanceRefund } from '#stripe/refunds.ts'
import type { StripeAccount } from '#stripe/stripe-account.ts'

/** Takes up what a former run left: events, open sessions, promised money, refunds and payouts on their way. */
export const resumeStripe = (account: StripeAccount): void => {
  const { books } = account
  account.resume()
  for (const session of books.sessions.all()) {
    if (session.status === 'open') expireInTime(account, session)
    else if (session.payment_status === 'unpaid') account.later(() => endDebit(account, session))
  }
  for (const refund of books.refunds.all()) advanceRefund(account, refund)
  for (const payout of books.payouts.all()) account.later(() => arrive(account, payout))
  resumeDisputes(account)
}
