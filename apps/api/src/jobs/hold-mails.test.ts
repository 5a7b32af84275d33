import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { orLater } from '#jobs/hold-mails.ts'
import { MailHeld } from '#platform/mail/bounded-mailer.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

test('the operator’s digest leaves at the end of the first ceiling that was reached, whatever is held after that', async () => {
  const deps = { db: shop.db, rateCounter: { waitFor: () => undefined } } as unknown as Parameters<
    typeof orLater
  >[0]
  const hold = (seconds: number) =>
    orLater(deps, 'mail-question', { conversationId: 'x', messageId: 'x' }, { id: '1', key: null }, () =>
      Promise.reject(new MailHeld(seconds)),
    )
  const runsAt = async () =>
    (
      await sql<{ run_at: Date }>`select run_at from graphile_worker.jobs
        where task_identifier = 'mail-operator-digest'`.execute(shop.db)
    ).rows
  await hold(1_800)
  const first = await runsAt()
  await hold(3_600)
  expect(first).toHaveLength(1)
  expect(await runsAt()).toEqual(first)
})
