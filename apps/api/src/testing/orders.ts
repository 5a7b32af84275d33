import { CURRENCIES, type CurrencyCode, toMajor } from '@hedgerow/domain/money'
import {
  type FeatureKey,
  fromWireFeatures,
  NO_FEATURES,
  toMask,
  totalMinor,
  toWireFeatures,
  type WireFeatures,
} from '@hedgerow/domain/pricing'
import type { TestCustomer } from '#testing/customers.ts'
import type { TestShop } from '#testing/test-shop.ts'

export type Choice = {
  days: number
  connections: number
  features: Partial<WireFeatures>
  currency: CurrencyCode
  /** Connections to extend. */
  renew?: readonly string[]
  promocode?: string
  location?: string
  near?: string
}

/** The options of a column. */
export const maskOf = (...keys: readonly FeatureKey[]): number =>
  toMask({ ...NO_FEATURES, ...Object.fromEntries(keys.map((key) => [key, true])) })

/** What the calculator sends for a choice. */
export const anOrderBody = (choice: Partial<Choice> = {}) => {
  const {
    days = 30,
    connections = 3,
    features = {},
    currency = 'EUR',
    renew,
    promocode,
    location,
    near,
  } = choice
  const chosen = { ...toWireFeatures(NO_FEATURES), ...features }
  return {
    days,
    connections,
    features: chosen,
    currency: CURRENCIES[currency],
    total: toMajor(totalMinor({ days, connections, features: fromWireFeatures(chosen) })),
    ...(renew ? { renew } : {}),
    ...(promocode ? { promocode } : {}),
    ...(location ? { location } : {}),
    ...(near ? { near } : {}),
  }
}

export type TestOrder = ReturnType<typeof anOrderBody> & { orderId: string }

/** An order that waits for its payment. */
export const anOrder = async (
  shop: Pick<TestShop, 'call'>,
  { token }: Pick<TestCustomer, 'token'>,
  choice: Partial<Choice> = {},
): Promise<TestOrder> => {
  const body = anOrderBody(choice)
  const reply = await shop.call('POST', '/api/v1/orders', { token, body })
  if (reply.status !== 201) throw new Error(`The order was not taken: ${reply.text}`)
  return { ...body, orderId: reply.body.orderId, total: reply.body.total }
}
