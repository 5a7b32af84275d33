import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { mailbox, type ReceivedMail } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { cancel, letDaysPass } from '#testing/cancellations.ts'
import { notesOf, paidTwice, refund } from '#testing/credit-notes.ts'
import { postpone, queueIsEmpty } from '#testing/jobs.ts'
import { aPurchase } from '#testing/payments.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

/** A shop in which the round that issues invoices and credit notes is an hour away. */
const aSlowShop = async (): Promise<TestShop> => {
  const shop = await startTestShop()
  await postpone(shop, 'issue-invoices')
  return shop
}

const refundMail = (shop: TestShop, email: string) => mailbox(shop).latest(email, 'We have refunded')
const wordsOf = ({ text }: ReceivedMail) => text.replace(/\s+/g, ' ')

describe('the mail about a refund', () => {
  test('brings the credit note, though neither it nor its invoice was issued before', async () => {
    const shop = await aSlowShop()
    const { customer, paymentId } = await aPurchase(shop)
    await refund(shop, paymentId, '10.00')
    const mail = await refundMail(shop, customer.email)
    const [note] = await notesOf(shop, paymentId)
    const number = `CN-${note?.year}-000001`
    expect(wordsOf(mail)).toContain(
      `Attached is the credit note, ${number}. It takes this amount off your invoice.`,
    )
    // Of a part that goes back nothing ends.
    expect(wordsOf(mail)).not.toMatch(/have ended| ends? on /)
    expect(mail.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ['credit-note.pdf', 'application/pdf'],
    ])
    if (!hasPdfTools) return
    const pdf = Buffer.from(await (await fetch(mail.attachments[0]?.url ?? '')).arrayBuffer())
    expect((await readPdf(pdf)).text).toContain(`Credit note Number ${number}`)
  })

  test('of what bought nothing has none, and does not speak of one', async () => {
    const shop = await aSlowShop()
    const { customer } = await paidTwice(shop)
    const mail = await refundMail(shop, customer.email)
    expect(mail.attachments).toEqual([])
    expect(mail.text).not.toMatch(/credit note/i)
  })

  test('goes without one that cannot be issued, and says where it will be', async () => {
    const shop = await aSlowShop()
    const { customer, paymentId } = await aPurchase(shop)
    await sql`create function refuse_note() returns trigger language plpgsql as $$
      begin raise exception 'no credit note for this one'; end $$`.execute(shop.db)
    await sql`create trigger poison before insert on credit_notes for each row execute function refuse_note()`.execute(
      shop.db,
    )
    const { id } = await refund(shop, paymentId)
    const mail = await refundMail(shop, customer.email)
    expect(mail.attachments).toEqual([])
    expect(wordsOf(mail)).toContain('You will find the credit note in your payment history soon.')
    const get = () => shop.call('GET', `/api/v1/refunds/${id}/credit-note`, { token: customer.token })
    const refused = await get()
    expect([refused.status, refused.body.detail]).toEqual([
      503,
      'This credit note could not be made yet. We know about it. You will find it in your payment history as soon as it is ready.',
    ])
    await sql`drop trigger poison on credit_notes`.execute(shop.db)
    expect((await get()).status).toBe(200)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'We have refunded')).toHaveLength(1)
  })

  test('of a cancelled purchase brings it, beside the mail that acknowledges the cancellation', async () => {
    const shop = await aSlowShop()
    const { customer, paymentId } = await aPurchase(shop)
    await letDaysPass(shop, customer, 10)
    const done = await cancel(shop, customer, paymentId)
    expect(done.status, done.text).toBeLessThan(300)
    const acknowledged = await mailbox(shop).latest(customer.email, 'You have cancelled')
    expect(acknowledged.attachments).toEqual([])
    const mail = await refundMail(shop, customer.email)
    await until(async () => (await notesOf(shop, paymentId)).length === 1)
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['credit-note.pdf'])
  })
})
