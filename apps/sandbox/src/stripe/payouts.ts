import { ACCOUNT_CURRENCY } from '#stripe/money.ts'
import { aPayout, aTransaction } from '#stripe/money-objects.ts'
import { nowInSeconds, type Payout, type Transaction } from '#stripe/object-types.ts'
import type { StripeAccount } from '#stripe/stripe-account.ts'

const bookPayout = (
  account: StripeAccount,
  payout: Payout,
  type: 'payout' | 'payout_failure',
): Transaction => {
  const transaction = aTransaction({
    type,
    category: type === 'payout' ? 'payout' : 'payout_reversal',
    amount: type === 'payout' ? -payout.amount : payout.amount,
    currency: payout.currency,
    source: payout.id,
    isAvailable: true,
  })
  if (type === 'payout') transaction.payout = payout.id
  account.books.transactions.put(transaction)
  return transaction
}

/** Of everything that has not been paid out yet, also of what would be pending for some days. Undefined if it is nothing. */
export const payOutAll = (account: StripeAccount): Payout | undefined => {
  const { transactions, payouts } = account.books
  const due = transactions.all().filter(({ payout }) => payout === null)
  const amount = due.reduce((sum, { net }) => sum + net, 0)
  if (amount <= 0) return undefined
  const payout = aPayout(amount, ACCOUNT_CURRENCY)
  payout.balance_transaction = bookPayout(account, payout, 'payout').id
  for (const transaction of due) {
    Object.assign(transaction, {
      payout: payout.id,
      status: 'available',
      available_on: Math.min(transaction.available_on, nowInSeconds()),
    })
    transactions.put(transaction)
  }
  payouts.put(payout)
  account.publish('payout.created', payout)
  account.later(() => arrive(account, payout))
  return payout
}

export const arrive = (account: StripeAccount, payout: Payout): void => {
  if (payout.status !== 'in_transit') return
  Object.assign(payout, { status: 'paid', reconciliation_status: 'completed' })
  account.books.payouts.put(payout)
  account.publish('payout.paid', payout)
  account.publish('payout.reconciliation_completed', payout)
}

/** Also one that was paid: the bank sent it back, and it goes out with the next. */
export const failPayout = (account: StripeAccount, payout: Payout): boolean => {
  if (payout.status !== 'in_transit' && payout.status !== 'paid') return false
  Object.assign(payout, {
    status: 'failed',
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
    failure_balance_transaction: bookPayout(account, payout, 'payout_failure').id,
  })
  account.books.payouts.put(payout)
  account.publish('payout.failed', payout)
  return true
}

export const presentBalance = ({ books }: StripeAccount) => {
  const now = nowInSeconds()
  const sums = { available: 0, pending: 0 }
  for (const { net, available_on } of books.transactions.all())
    if (available_on <= now) sums.available += net
    else sums.pending += net
  const entry = (amount: number) => [{ amount, currency: ACCOUNT_CURRENCY, source_types: { card: amount } }]
  return {
    object: 'balance' as const,
    available: entry(sums.available),
    pending: entry(sums.pending),
    livemode: false,
  }
}
