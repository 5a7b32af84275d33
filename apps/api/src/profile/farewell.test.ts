import { PASSWORD } from '@hedgerow/testing/customers'
import { hurry } from '@hedgerow/testing/jobs'
import { mailbox } from '@hedgerow/testing/mailbox'
import { aPurchase } from '@hedgerow/testing/payments'
import { shopOfFile } from '@hedgerow/testing/test-shop'
import { until } from '@hedgerow/testing/until'
import { expect, test } from 'vitest'

const shop = shopOfFile()

test('the last mail says that an invoice keeps the name on the card, as it does', async () => {
  const { customer, order } = await aPurchase(shop)
  const { token, email } = customer
  const invoice = () =>
    shop.db.selectFrom('invoices').select('snapshot').where('order_id', '=', order.orderId).executeTakeFirst()
  await hurry(shop, 'issue-invoices')
  await until(invoice)
  await shop.call('DELETE', '/api/v1/user', { token, body: { email, password: PASSWORD } })
  const mail = await mailbox(shop).latest(email, 'is deleted')
  expect((await invoice())?.snapshot.cardHolder).toBe('ADA LOVELACE')
  expect(mail.text).toContain('an invoice keeps the name on the card')
})
