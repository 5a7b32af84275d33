import { freePort } from '@hedgerow/testing/free-port'
import { logLines } from '@hedgerow/testing/log-lines'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { issueDueCreditNotes } from '#sales/invoices/issue-credit-notes.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { noted, notesOf, refund } from '#testing/credit-notes.ts'
import { hurry } from '#testing/jobs.ts'
import { aPurchase } from '#testing/payments.ts'
import { environmentOf, openGround, startTestShop, type TestShop } from '#testing/test-shop.ts'

/** Lets the database refuse the credit notes of a payment. */
const poison = async ({ db }: Pick<TestShop, 'db'>, paymentId: string) => {
  await sql`create or replace function refuse_note() returns trigger language plpgsql as $$
    begin raise exception 'no credit note for this one'; end $$`.execute(db)
  await sql`create trigger poison before insert on credit_notes for each row
    when (new.payment_id = ${sql.lit(paymentId)}) execute function refuse_note()`.execute(db)
}

const cure = ({ db }: Pick<TestShop, 'db'>) => sql`drop trigger poison on credit_notes`.execute(db)

test('a credit note that cannot be issued holds up no other, and gets the next number when its cause is gone', async () => {
  const shop = await startTestShop()
  const { paymentId: unlucky } = await aPurchase(shop)
  const { paymentId } = await aPurchase(shop)
  await poison(shop, unlucky)
  const first = await refund(shop, unlucky, '3.00')
  const second = await refund(shop, unlucky, '4.00')
  await refund(shop, paymentId, '5.00')
  expect((await noted(shop, paymentId, 1)).map(({ number }) => number)).toEqual([1])
  expect(await notesOf(shop, unlucky)).toEqual([])
  const failed = issueDueCreditNotes(shop)
  await expect(failed).rejects.toThrow(
    `2 credit notes cannot be issued, of refund ${first.id}, ${second.id}: no credit note for this one`,
  )
  await cure(shop)
  const notes = await noted(shop, unlucky, 2)
  expect(notes.map(({ number }) => number)).toEqual([2, 3])
  // The cause may go while the shop is between the two.
  const sums = new Map(notes.map(({ refund_id, snapshot }) => [refund_id, snapshot.totalMinor]))
  expect(sums).toEqual(
    new Map([
      [first.id, 300],
      [second.id, 400],
    ]),
  )
  await issueDueCreditNotes(shop)
})

test('the log names the refund, ever more rarely, and says when it works again', async () => {
  const ground = await openGround({ env: { LOG_LEVEL: 'info' } })
  onTestFinished(ground.close)
  const api = await startApiProcess(environmentOf(ground, await freePort()))
  onTestFinished(() => api.kill())
  const shop = { ...ground, call: api.call }
  const { paymentId } = await aPurchase(shop)
  await poison(shop, paymentId)
  const { id } = await refund(shop, paymentId)
  const lines = () =>
    logLines(api.output()).filter(({ job, level }) => job === 'issue-invoices' && level >= 50)
  await until(async () => {
    await hurry(shop, 'issue-invoices')
    return lines().some(({ runs }) => Number(runs) >= 4)
  })
  expect(lines().map(({ msg, runs }) => [msg, runs])).toEqual(
    [1, 2, 4].map((runs) => ['a recurring job failed, and will run again', runs]),
  )
  for (const line of lines())
    expect(JSON.stringify(line)).toContain(`a credit note cannot be issued, of refund ${id}`)
  await cure(shop)
  expect((await noted(shop, paymentId, 1)).map(({ number }) => number)).toEqual([1])
})
