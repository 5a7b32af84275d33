import { type Plan, SHIPPED_PLANS } from '@hedgerow/domain/plans'
import type { Reply } from '@hedgerow/testing/call'
import type { TestCustomer } from '#testing/customers.ts'
import { aCard, type CardForm } from '#testing/payments.ts'
import type { TestShop } from '#testing/test-shop.ts'

/** A shipped plan of a period. */
export const planFor = (period: string): Plan => {
  const plan = SHIPPED_PLANS.find((candidate) => candidate.period === period)
  if (!plan) throw new Error(`No plan for ${period}`)
  return plan
}

/** Presses the button that pays on a plan's checkout. */
export const sale = (
  shop: Pick<TestShop, 'call'>,
  { token }: Pick<TestCustomer, 'token'>,
  { id }: Pick<Plan, 'id'>,
  card: CardForm = {},
): Promise<Reply> => shop.call('POST', '/api/v1/payment/gate/sale', { token, body: { id, ...aCard(card) } })

/** The same, where only the payment is needed. */
export const startSale = async (...given: Parameters<typeof sale>): Promise<string> => {
  const reply = await sale(...given)
  if (reply.status !== 200) throw new Error(`The sale was not taken: ${reply.text}`)
  return reply.body._id
}
