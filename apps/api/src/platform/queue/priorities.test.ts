import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addJob } from '#platform/queue/add-job.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

test('what moves money comes before mails, and of mails what a customer waits for first, what strangers cause and receipts last', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  const later = { inSeconds: 7200 }
  await addJob(shop.db, 'mail-cancellation-asked', { statementId: id }, later)
  await addJob(shop.db, 'mail-statement-received', { statementId: id }, later)
  await addJob(shop.db, 'mail-receipt', { orderId: id }, later)
  await addJob(shop.db, 'mail-password-changed', { customerId: id }, later)
  await addJob(shop.db, 'mail-reset', { customerId: id }, later)
  await addJob(shop.db, 'mail-connection', { connectionId: id }, later)
  await addJob(shop.db, 'send-refund', { refundId: id }, later)
  await addJob(shop.db, 'deliver-payment', { paymentId: id }, later)
  const { rows } = await sql<{ task: string }>`
    select task_identifier as task from graphile_worker.jobs
    where run_at > now() + interval '90 minutes' order by priority, id`.execute(shop.db)
  expect(rows.map(({ task }) => task)).toEqual([
    'send-refund',
    'deliver-payment',
    'mail-reset',
    'mail-connection',
    'mail-password-changed',
    'mail-cancellation-asked',
    'mail-statement-received',
    'mail-receipt',
  ])
})
