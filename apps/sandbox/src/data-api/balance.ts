import type { DataCall } from '#data-api/data-call.ts'
import { readInterval } from '#data-api/questions.ts'
import { balancesBefore } from '#settlement/operations.ts'

/**
 * What is on the balances now and, where an interval is named, what was on them at both of its ends. The fields of this
 * call are not published: they are named like those of operations.
 */
export const BALANCE: DataCall = {
  path: 'balance/get',
  handle: (question, { books }) => {
    const now = balancesBefore(books, Infinity)
    if (question.interval === undefined)
      return { balances: [...now].map(([currency, amount]) => ({ currency, amount })) }
    const { from, to } = readInterval(question)
    const opening = balancesBefore(books, from)
    const closing = balancesBefore(books, to)
    return {
      balances: [...now].map(([currency, amount]) => ({
        currency,
        amount,
        opening_amount: opening.get(currency) ?? 0,
        closing_amount: closing.get(currency) ?? 0,
      })),
    }
  },
}
