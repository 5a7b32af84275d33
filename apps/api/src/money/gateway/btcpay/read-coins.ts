import type { Coin } from '@hedgerow/domain/coins'
import * as z from 'zod/mini'
import { decimal } from '#money/gateway/btcpay/read-invoice.ts'

/** More transactions than that are no customer's; the first are kept. */
const MOST_COINS = 10

const name = z.string().check(z.regex(/^[\w.:-]{1,200}$/))

const Methods = z.array(
  z.object({
    paymentMethodId: name,
    rate: decimal,
    payments: z.array(z.object({ id: name, value: decimal, status: z.string() })),
  }),
)

/** What came for an invoice; undefined if it is in no form that is known here, or nothing did. */
export const readCoins = (body: unknown): Coin[] | undefined => {
  const { data } = z.safeParse(Methods, body)
  const coins = (data ?? []).flatMap(({ paymentMethodId: way, rate, payments }) =>
    payments.filter(({ status }) => status !== 'Invalid').map(({ id, value }) => ({ way, value, rate, id })),
  )
  return coins.length > 0 ? coins.slice(0, MOST_COINS) : undefined
}
