import { randomBytes } from 'node:crypto'
import { until } from '@hedgerow/testing/until'
import { createGateClient } from '#money/gateway/gate/gate-client.ts'
import type { Sale } from '#money/gateway/gateway.ts'
import { bookOf } from '#testing/gateway.ts'
import { CARDS } from '#testing/payments.ts'
import type { TestShop } from '#testing/test-shop.ts'

export const unknownRows = ({ db }: Pick<TestShop, 'db'>) =>
  db.selectFrom('unknown_payments').selectAll().orderBy('payment_id').execute()

type Lost = { pan?: string; customerId?: string } & Partial<Pick<Sale, 'amountMinor' | 'currency'>> & {
    saleMethod?: Sale['saleMethod']
  }

/**
 * A payment that a shop started after the backup that this one was restored from: it is in the gateway's books, which tell
 * this shop of it, and the shop does not have it. Returns when it has ended there.
 */
export const aLostPayment = async (shop: TestShop, lost: Lost = {}): Promise<string> => {
  const { pan = CARDS.paid, customerId = 'u_42', amountMinor = 3000, currency = 'EUR' } = lost
  const gate = createGateClient(shop.settings)
  const paymentId = randomBytes(16).toString('hex')
  const card = { pan, card_holder: 'ADA LOVELACE', month: 12, year: 2035, cvv: '123' }
  const answer = await gate.sale({
    paymentId,
    amountMinor,
    currency,
    description: 'PURCHASE: Timed VPN connections',
    saleMethod: lost.saleMethod ?? { method: 'card', card: { ...card } },
    customer: { id: customerId, email: 'ada@example.org', ip_address: '203.0.113.9', js_enabled: false },
    cancelPath: '/',
  })
  if (answer.kind !== 'accepted')
    throw new Error(`The gateway did not take the sale: ${JSON.stringify(answer)}`)
  const ends = ['success', 'decline', 'partially paid']
  await until(async () => ends.includes((await bookOf(shop, paymentId))?.status ?? ''))
  return paymentId
}

/** The same, once it was reported to the shop. */
export const anUnknownPayment = async (shop: TestShop, lost: Lost = {}): Promise<string> => {
  const paymentId = await aLostPayment(shop, lost)
  await until(async () =>
    (await unknownRows(shop)).some((row) => row.payment_id === paymentId && row.status !== 'processing'),
  )
  return paymentId
}
