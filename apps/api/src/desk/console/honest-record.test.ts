import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import { deedsOf } from '#testing/operators.ts'
import { aPurchase } from '#testing/payments.ts'

const { shop, ask } = await consoleOfFile()

test('what is recorded is what was done, whatever else stands in the query or the body', async () => {
  const support = await anOperator(shop.db, 'support')
  const { paymentId, customer } = await aPurchase(shop)
  const other = await aCustomer(shop)
  const lies = `paymentId=${'f'.repeat(32)}&customerId=${other.id}&amountMinor=1&isAgain=true&noteId=${randomUUID()}`
  const body = { amountMinor: 700, paymentId: 'f'.repeat(32), customerId: other.id }
  await ask(support, 'POST', `/api/v1/payments/${paymentId}/refund?${lies}`, { body })
  await ask(support, 'GET', `/api/v1/customers/${customer.id}/person?${lies}`)
  await ask(support, 'POST', `/api/v1/customers/${customer.id}/confirmation?${lies}`, { body })
  expect(await deedsOf(shop, support)).toEqual([
    {
      command: 'refund',
      subject: paymentId,
      outcome: 'done',
      arguments: { paymentId, amountMinor: '700', isAgain: false },
    },
    {
      command: 'customer open',
      subject: customer.id,
      outcome: 'done',
      arguments: { customerId: customer.id },
    },
    {
      command: 'customer resend-confirmation',
      subject: customer.id,
      outcome: 'refused',
      arguments: { customerId: customer.id },
    },
  ])
})
