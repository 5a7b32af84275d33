import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { BY_CALLBACK_ALONE, switchFaults } from '#testing/gateway.ts'
import { anOrder } from '#testing/orders.ts'
import {
  answerElsewhere,
  authorise,
  BANKS,
  clarify,
  metadataOf,
  payByBank,
  startBy,
  TURNS,
} from '#testing/payment-methods.ts'
import {
  answerChallenge,
  bankForm,
  CARDS,
  challengeOf,
  connectionsOf,
  reached,
  sendToChallenge,
  startPayment,
} from '#testing/payments.ts'
import { startTestShop } from '#testing/test-shop.ts'

describe.each(['merchant', 'general-signature', 'terminal', 'mixed'] as const)(
  'callbacks in the %s format',
  (callbackFormat) => {
    test('carry every turn of a payment by themselves', async () => {
      const shop = await startTestShop()
      await switchFaults(shop, { ...BY_CALLBACK_ALONE, callbackFormat })
      const customer = await aCustomer(shop)
      const byCard = async (pan: string) =>
        startPayment(shop, customer, await anOrder(shop, customer), { pan })

      const paid = await byCard(CARDS.paid)
      const declined = await byCard(CARDS.declined)
      const challenged = await byCard(CARDS.challenged)
      await answerChallenge(shop, challenged)
      const asked = await byCard(TURNS.asksForAddress)
      await reached(shop, asked, 'awaiting clarification')
      await clarify(shop, asked, {
        'avs_data.avs_post_code': 'CB7 4AA',
        'avs_data.avs_street_address': '1 Quay',
      })
      const authorised = await byCard(TURNS.sendsCode)
      await reached(shop, authorised, 'awaiting merchant auth')
      await authorise(shop, authorised)
      await authorise(shop, authorised, '1234')
      const shown = await byCard(TURNS.showsCode)
      await reached(shop, shown, 'awaiting customer action')
      expect((await metadataOf(shop, shown)).display).toHaveLength(1)
      await answerElsewhere(shop, shown)
      const twice = await byCard(TURNS.asksTwice)
      const first = await challengeOf(shop, twice)
      await sendToChallenge(shop, twice, bankForm(first))
      await until(async () => (await challengeOf(shop, twice)).md !== first.md)
      await answerChallenge(shop, twice)
      const order = await anOrder(shop, customer, { currency: 'GBP' })
      const promised = await startBy(payByBank, shop, customer, order, { bankId: BANKS.confirmedLater })
      await reached(shop, promised, 'awaiting clarification')
      await clarify(shop, promised, { 'customer.psu_consent_text': true })
      await reached(shop, promised, 'awaiting redirect result')
      await answerElsewhere(shop, promised)

      await reached(shop, declined, 'Decline')
      for (const id of [paid, challenged, asked, authorised, shown, twice, promised]) {
        await reached(shop, id, 'Success')
        expect(await connectionsOf(shop, id)).toHaveLength(3)
      }
    })
  },
)
