import { SELF_BILLING_DAYS } from '@hedgerow/domain/commissions'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import { aCustomer, eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { aPartnerWith, aWithdrawal, requestPayout, withdrawalsOf } from '#testing/withdrawals.ts'

const shop = shopOfFile()

const BUSINESS = {
  company: 'Ada Ltd',
  companyAddress: '1 Lane\nLondon',
  vatNumber: 'gb 123 4567 89',
  agrees: true,
}
const NOTHING = { company: '', companyAddress: '', vatNumber: '', agrees: false }

const save = ({ token }: TestCustomer, body: object) =>
  shop.call('PUT', '/api/v1/partnership/billing', { token, body })
const saved = async ({ token }: TestCustomer) =>
  (await shop.call('GET', '/api/v1/partnership/billing', { token })).body

const requested = async (partner: TestCustomer, currency = 'GBP') =>
  (await requestPayout(shop, partner, aWithdrawal({ currency, iban: 'GB33BUKB20201555555555' }))).body._id

const pay = (id: string) => resolveWithdrawal(shop, id, { status: 'paid', reference: 'HEDGE 12' })

const documentOf = (id: string) =>
  shop.db.selectFrom('commission_documents').selectAll().where('withdrawal_id', '=', id).execute()

const snapshotOf = async (id: string) => (await documentOf(id))[0]?.snapshot

const pdfOf = ({ token }: TestCustomer, id: string) =>
  shop.call('GET', `/api/v1/partnership/withdrawals/${id}/document`, { token })

describe('PUT /api/v1/partnership/billing', () => {
  test('keeps whom documents are to, with the number as it is written and the agreement', async () => {
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    expect((await save(ada, BUSINESS)).status).toBe(200)
    expect(await saved(ada)).toEqual({
      company: 'Ada Ltd',
      companyAddress: '1 Lane\nLondon',
      vatNumber: 'GB123456789',
      agreedUntil: expect.stringMatching(/Z$/),
    })
    expect(await saved(eve)).toEqual({ company: '', companyAddress: '', vatNumber: '' })
    expect((await save(ada, NOTHING)).status).toBe(200)
    expect(await saved(ada)).toEqual({ company: '', companyAddress: '', vatNumber: '' })
  })

  test('is refused at the field, and what was saved stays', async () => {
    const ada = await aCustomer(shop)
    await save(ada, BUSINESS)
    const refusedAt = async (path: string, body: object) => {
      const reply = await save(ada, { ...BUSINESS, company: 'Other', ...body })
      expect(messageFor(expectProblem(reply, 422), path), path).toBeTruthy()
    }
    await refusedAt('vatNumber', { vatNumber: '12' })
    await refusedAt('company', { company: '' })
    await refusedAt('companyAddress', { companyAddress: ' ' })
    await refusedAt('agrees', { agrees: false })
    expect((await saved(ada)).company).toBe('Ada Ltd')
  })

  test('is for customers', async () => {
    expectProblem(await shop.call('PUT', '/api/v1/partnership/billing', { body: BUSINESS }), 401)
  })
})

describe('the document of a withdrawal', () => {
  test('is a self-billed invoice in a series of its own, issued once when it is paid', async () => {
    const ada = await aPartnerWith(shop, 60_000, 'GBP')
    await save(ada, BUSINESS)
    const [first, second] = [await requested(ada), await requested(ada)]
    expect(await documentOf(first)).toEqual([])
    await Promise.all([pay(first), pay(first), pay(second)])
    const [[one], [other]] = [await documentOf(first), await documentOf(second)]
    expect(Math.abs((one?.number ?? 0) - (other?.number ?? 0))).toBe(1)
    expect(one?.snapshot).toMatchObject({
      kind: 'self-billed',
      partner: { name: 'Ada Ltd', address: ['1 Lane', 'London'], vatNumber: 'GB123456789' },
      reference: 'HEDGE 12',
      totalMinor: 25_000,
      netMinor: 20_833,
      vatMinor: 4_167,
    })
    const [listed] = (await withdrawalsOf(shop, ada)).filter((row: { _id: string }) => row._id === first)
    expect(listed.document).toBe(`CM-${one?.year}-${String(one?.number).padStart(6, '0')}`)
    const mail = await mailbox(shop).latest(ada.email, 'We have paid you £250.00')
    expect(mail.text).toMatch(/Your document about it, CM-\d{4}-\d{6}, is in your partner account/)
    await expect(sql`update commission_documents set number = 99`.execute(shop.db)).rejects.toThrow(
      'never changed',
    )
  })

  test('has no VAT for who is not registered, and the account’s name where no other is given', async () => {
    const ada = await aPartnerWith(shop, 30_000)
    const id = await requested(ada, 'EUR')
    await pay(id)
    expect(await snapshotOf(id)).toMatchObject({
      kind: 'statement',
      partner: { name: ada.name, address: [] },
      totalMinor: 25_000,
      vatMinor: 0,
    })
  })

  test('says VAT in pounds too, and none for a business in the EU', async () => {
    const [ada, grace] = [await aPartnerWith(shop, 30_000), await aPartnerWith(shop, 30_000)]
    await save(ada, BUSINESS)
    await save(grace, { ...BUSINESS, vatNumber: 'DE811907980' })
    const [ofAda, ofGrace] = [await requested(ada, 'EUR'), await requested(grace, 'EUR')]
    for (const id of [ofAda, ofGrace]) await pay(id)
    expect(await snapshotOf(ofAda)).toMatchObject({ sterling: { netMinor: 18_116, vatMinor: 3_623 } })
    expect(await snapshotOf(ofGrace)).toMatchObject({ kind: 'reverse-charge', vatMinor: 0 })
  })

  test('is a statement again once the agreement has ended', async () => {
    const ada = await aPartnerWith(shop, 30_000, 'GBP')
    await save(ada, BUSINESS)
    await sql`update partner_billing set agreed_at = now() - make_interval(days => ${SELF_BILLING_DAYS + 1})
      where partner_id = ${ada.id}`.execute(shop.db)
    const id = await requested(ada)
    await pay(id)
    expect(await snapshotOf(id)).toMatchObject({ kind: 'statement', vatMinor: 0 })
  })

  test('is not issued for what is refused', async () => {
    const id = await requested(await aPartnerWith(shop, 30_000, 'GBP'))
    await resolveWithdrawal(shop, id, { status: 'refused', reason: 'No such account.' })
    expect(await documentOf(id)).toEqual([])
  })

  test.skipIf(!hasPdfTools)('is downloaded by its partner, and by no one else', async () => {
    const ada = await aPartnerWith(shop, 30_000, 'GBP')
    await save(ada, BUSINESS)
    const id = await requested(ada)
    expectProblem(await pdfOf(ada, id), 404)
    await pay(id)
    const reply = await pdfOf(ada, id)
    expect(reply.headers.get('content-type')).toBe('application/pdf')
    expect((await readPdf(reply.bytes)).text).toContain('The VAT shown is your output tax due to HMRC.')
    expectProblem(await pdfOf(await aCustomer(shop), id), 404)
  })

  test('stays when the account is deleted, and what was given for the next ones goes', async () => {
    const ada = await aPartnerWith(shop, 30_000, 'GBP')
    await save(ada, BUSINESS)
    const id = await requested(ada)
    await pay(id)
    expect((await eraseAccount(shop, ada)).status).toBe(200)
    expect(await snapshotOf(id)).toMatchObject({ partner: { name: 'Ada Ltd' } })
    expect(
      await shop.db.selectFrom('partner_billing').selectAll().where('partner_id', '=', ada.id).execute(),
    ).toEqual([])
  })
})
