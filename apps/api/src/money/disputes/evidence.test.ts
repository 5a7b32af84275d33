import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isoDay } from '@hedgerow/domain/dates'
import { creditNoteNumber } from '@hedgerow/domain/invoices'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noted, refund } from '#testing/credit-notes.ts'
import { aCustomer } from '#testing/customers.ts'
import { aDisputedPurchase, dispute, invoiced, openedDispute } from '#testing/disputes.ts'
import { anOrder } from '#testing/orders.ts'
import { clarify, TURNS } from '#testing/payment-methods.ts'
import { answerChallenge, aPurchase, CARDS, connectionsOf, reached, startPayment } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hedgerow-evidence-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const evidence = async (id: string, name = `${id}.pdf`) => {
  const file = join(folder, name)
  const outcome = await dispute(shop, 'evidence', id, '--out', file)
  const { code, out, err } = outcome
  return { code, out, err, file }
}

describe('ops dispute evidence', () => {
  test.skipIf(!hasPdfTools)('holds what the bank may be shown of the purchase, and no traffic', async () => {
    const { customer, order, paymentId, dispute: opened } = await aDisputedPurchase(shop, '--reason', '10.4')
    const earlier = await aPurchase(shop, {}, {}, customer)
    await sql`update payments set ended_at = ended_at - interval '130 days' where id = ${earlier.paymentId}`.execute(
      shop.db,
    )
    await invoiced(shop, paymentId)
    const [first] = await connectionsOf(shop, paymentId)
    await sql`update peers set first_connected_on = '2026-11-02', connected_on = '2026-11-20'
      where connection_id = ${first?.id}`.execute(shop.db)
    await sql`insert into security_events (customer_id, kind, browser, network)
      values (${customer.id}, 'log-in', 'Firefox on Linux', '203.0.113.0/24')`.execute(shop.db)
    await sql`with asked as (insert into conversations (id, kind, customer_id, name)
        values (gen_random_uuid(), 'support', ${customer.id}, 'Ada') returning id)
      insert into conversation_messages (id, conversation_id, author, text)
      select gen_random_uuid(), id, 'customer', ${`It works. ${'A long story that goes on. '.repeat(150)} 漢字 the end`} from asked`.execute(
      shop.db,
    )
    const { code, out, file } = await evidence(opened.id)
    expect(out).toContain(`Written to ${file}.`)
    expect(code).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const pdf = await readPdf(await readFile(file))
    expect(pdf.isClean).toBe(true)
    expect(pdf.areFontsWhole).toBe(true)
    expect(pdf.facts).toMatch(/Tagged: +yes/)
    for (const said of [
      'Evidence on a disputed payment',
      paymentId,
      order.orderId,
      '30 days, 3 connections',
      '10.4 (Other fraud, card absent), fraud',
      customer.email,
      'Accepted with payment',
      'Version of the terms',
      'There was no refund.',
      'Authorisation code',
      'no record of a challenge',
      '07 (Visa: not authenticated',
      '02/11/2026 20/11/2026',
      'not used',
      earlier.paymentId,
      'Logged in',
      '203.0.113.0/24',
      'It works.',
      '漢字 the end',
      'The purchase was not cancelled.',
      `Invoice ${isoDay(new Date()).slice(0, 4)}-`,
      'VAT 20% included',
    ])
      expect(pdf.text).toContain(said)
    expect(pdf.text).not.toContain(first?.public_key)
    expect(pdf.pages).toBeGreaterThan(2)
  })

  const NO_CHALLENGE = 'The shop holds no record of a challenge'
  const CHALLENGE = 'The issuer asked the card holder to confirm the payment, and the answer was passed on'

  test.skipIf(!hasPdfTools).each<[card: string, pan: string, says: string, eci: string]>([
    ['that was asked nothing', CARDS.paid, NO_CHALLENGE, '07 (Visa: not authenticated'],
    [
      'that its issuer vouches for unasked',
      '5252000000000004',
      NO_CHALLENGE,
      '02 (Mastercard: authenticated',
    ],
    ['that answered a challenge', CARDS.challenged, CHALLENGE, '05 (Visa: authenticated'],
    ['that was asked for its address', TURNS.asksForAddress, NO_CHALLENGE, '07 (Visa: not authenticated'],
  ])('states of a card %s what was recorded, and the gateway’s ECI', async (_, pan, says, eci) => {
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer), { pan })
    if (pan === CARDS.challenged) await answerChallenge(shop, paymentId)
    if (pan === TURNS.asksForAddress) {
      await reached(shop, paymentId, 'awaiting clarification')
      const answers = { 'avs_data.avs_post_code': 'CB7 4AA', 'avs_data.avs_street_address': '1 Quayside' }
      expect((await clarify(shop, paymentId, answers)).status).toBe(200)
    }
    await reached(shop, paymentId, 'Success')
    const opened = await openedDispute(shop, paymentId)
    const { file } = await evidence(opened.id)
    const text = (await readPdf(await readFile(file))).text.replace(/\s+/g, ' ')
    expect(text).toContain(says)
    expect(text).toContain(eci)
  })

  test.skipIf(!hasPdfTools)('names the credit note of what went back', async () => {
    const { paymentId } = await aPurchase(shop)
    await invoiced(shop, paymentId)
    await refund(shop, paymentId, '11.11')
    const [note] = await noted(shop, paymentId, 1)
    const { id } = await openedDispute(shop, paymentId)
    const { file } = await evidence(id)
    const { text } = await readPdf(await readFile(file))
    expect(text).toContain(creditNoteNumber(note?.year as number, note?.number as number))
  })

  test('replaces no file, and needs a dispute', async () => {
    const { dispute: opened } = await aDisputedPurchase(shop)
    const { file } = await evidence(opened.id, 'twice.pdf')
    const again = await evidence(opened.id, 'twice.pdf')
    expect([again.code, again.err]).toEqual([1, `Nothing was written to ${file}: the file already exists.\n`])
    const nobody = '00000000-0000-4000-8000-000000000000'
    expect((await evidence(nobody)).err).toBe('We could not find this dispute.\n')
    expect((await dispute(shop, 'evidence', opened.id)).code).toBe(2)
  })

  test.skipIf(!hasPdfTools)('of an account that is gone says so', async () => {
    const { paymentId } = await aPurchase(shop)
    await shop.db.updateTable('payments').set({ customer_id: null }).where('id', '=', paymentId).execute()
    const { id } = await openedDispute(shop, paymentId)
    const { file } = await evidence(id)
    const { text } = await readPdf(await readFile(file))
    expect(text).toContain('The account was deleted by its holder since')
  })

  test('the first day on which a connection was used stays when its keys are replaced', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const [first] = await connectionsOf(shop, paymentId)
    await sql`update peers set first_connected_on = '2026-11-02' where connection_id = ${first?.id}`.execute(
      shop.db,
    )
    const reply = await shop.call('POST', `/api/v1/connections/${first?.id}/keys`, {
      token: customer.token,
      body: {},
    })
    expect(reply.status, reply.text).toBe(200)
    const { rows } = await sql<{ day: string }>`select first_connected_on::text as day from peers
      where connection_id = ${first?.id} and replaced_at is null`.execute(shop.db)
    expect(rows).toEqual([{ day: '2026-11-02' }])
  })
})
