import { correctInvoice } from '@hedgerow/contract/console/invoices'
import { isoDay } from '@hedgerow/domain/dates'
import { monthOf } from '@hedgerow/domain/periods'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readVatReturn } from '#accounting/books/vat-return.ts'
import { checkMonth } from '#accounting/month-end/check-month.ts'
import { type Month, parseMonth } from '#accounting/month-end/month.ts'
import { invoicesRoutes } from '#desk/invoices/invoices.routes.ts'
import { askAgain } from '#money/vies/ask-again.ts'
import { createVies } from '#money/vies/vies-client.ts'
import { callsBy } from '#testing/calls.ts'
import { noted, refund } from '#testing/credit-notes.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { COMPANY, OSS, payFrom, taxOf } from '#testing/oss-shops.ts'
import type { CardForm } from '#testing/payments.ts'
import { paymentRow, reached } from '#testing/payments.ts'
import { shopOfFile, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile({ env: { ...OSS, OSS_VAT_NUMBER: 'EU372000001' } })
const plain = shopOfFile()

const correct = (number: string, body: object, on: TestShop = shop) =>
  callsBy((app) =>
    invoicesRoutes(app, { db: on.db, exportDb: on.db, settings: on.settings, log: console as never }),
  ).call(correctInvoice, { params: { number }, body }) as Promise<{ invoice: string; creditNote: string }>

const ofOrder = (table: 'issued_invoices' | 'live_invoices', orderId: string, on: TestShop = shop) =>
  on.db
    .selectFrom(table)
    .select(['year', 'number', 'snapshot'])
    .where('order_id', '=', orderId)
    .orderBy('issued_at')
    .execute()

const named = ({ year, number }: { year: number; number: number }) =>
  `${year}-${String(number).padStart(6, '0')}`

const buy = async (said: CardForm, on: TestShop = shop) => {
  const customer = await aCustomer(on)
  const { paymentId } = (await payFrom(on, customer, said)).body
  await reached(on, paymentId, 'Success')
  await hurry(on, 'issue-invoices')
  await until(() => taxOf(on, paymentId))
  const { order_id: orderId } = await paymentRow(on, paymentId)
  const [invoice] = await ofOrder('issued_invoices', orderId, on)
  if (!invoice) throw new Error('There is no invoice')
  return { customer, paymentId, orderId, number: named(invoice), was: invoice.snapshot }
}

const correctionOf = async (paymentId: string, on: TestShop = shop) => {
  const [found, another] = await on.db
    .selectFrom('invoice_corrections')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('issued_at', 'desc')
    .execute()
  return { found, another }
}

/** What the month check says of papers; of money from the gateway no report was taken here. */
const faultsOfPapers = async (on: TestShop = shop) => {
  const month = parseMonth(monthOf(isoDay(new Date()))) as Month
  const { lines } = await checkMonth(on, month, new Date(), 2)
  return lines.filter(({ id, agrees }) => !agrees && /invoice|credit-note|vat|oss|series/.test(id))
}

describe('correcting an invoice', () => {
  test('puts another buyer on it at the same sums, moves no money, and mails both', async () => {
    const { customer, paymentId, orderId, number, was } = await buy({}, plain)
    const made = await correct(number, { name: 'Ada Ltd', address: '1 Lane\nLondon' }, plain)
    const { found } = await correctionOf(paymentId, plain)
    expect(found?.snapshot).toEqual({
      ...was,
      buyer: { name: 'Ada Ltd', address: ['1 Lane', 'London'] },
      correction: expect.objectContaining({ invoice: number, creditNote: made.creditNote }),
    })
    const { totalMinor, netMinor, vatMinor } = was
    expect(found?.credit_snapshot).toMatchObject({
      invoice: { number },
      reason: 'correction',
      buyer: was.buyer,
      ...{ totalMinor, netMinor, vatMinor },
    })
    expect((await ofOrder('live_invoices', orderId, plain)).map(named)).toEqual([made.invoice])
    expect(
      await plain.db.selectFrom('refunds').select('id').where('payment_id', '=', paymentId).execute(),
    ).toEqual([])
    const mail = await mailbox(plain).latest(customer.email, 'Your corrected invoice')
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['invoice.pdf', 'credit-note.pdf'])
    for (const part of [number, made.invoice, made.creditNote]) expect(mail.text).toContain(part)
    const { invoices, creditNotes } = (
      await plain.call('GET', '/api/v1/user/data', { token: customer.token })
    ).body
    expect(invoices.map((one: { number: string }) => one.number)).toEqual([number, made.invoice])
    expect(creditNotes).toMatchObject([{ number: made.creditNote, refundId: null }])
    expect(await faultsOfPapers(plain)).toEqual([])
  })

  test('lets the customer, and nobody else, download both from the payment history', async () => {
    const { customer, orderId, number } = await buy({}, plain)
    const made = await correct(number, { name: 'Ada Ltd' }, plain)
    const [payment] = (await plain.call('GET', '/api/v1/payment/history', { token: customer.token })).body
    expect(payment.corrections).toMatchObject([made])
    const open = (url: string, { token }: { token: string }) => plain.call('GET', url, { token })
    const note = `/api/v1/refunds/${payment.corrections[0]._id}/credit-note`
    expect((await open(note, customer)).headers.get('content-type')).toBe('application/pdf')
    expect((await open(`/api/v1/orders/${orderId}/invoice`, customer)).status).toBe(200)
    expect((await open(note, await aCustomer(plain))).status).toBe(404)
  })

  test('happens once, however often it is pressed', async () => {
    const { paymentId, orderId, number } = await buy({}, plain)
    const pressed = await Promise.allSettled(
      Array.from({ length: 5 }, () => correct(number, { name: 'Ada Ltd' }, plain)),
    )
    expect(pressed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(pressed.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: expect.stringContaining('Another invoice stands in its place') },
    })
    const { found, another } = await correctionOf(paymentId, plain)
    expect(another).toBeUndefined()
    expect(await ofOrder('live_invoices', orderId, plain)).toHaveLength(1)
    const next = await correct(named(found as never), { name: 'Ada & Sons Ltd' }, plain)
    expect((await ofOrder('live_invoices', orderId, plain)).map(named)).toEqual([next.invoice])
    expect(await faultsOfPapers(plain)).toEqual([])
    await expect(sql`update invoice_corrections set number = 9`.execute(plain.db)).rejects.toThrow(
      'never changed',
    )
  })

  test('takes the VAT off for a business, in the return as on paper', async () => {
    const { paymentId, number, was } = await buy({ country: 'DE' })
    const today = isoDay(new Date())
    const vatIn = async () =>
      (await readVatReturn(shop, { from: today, to: today })).rows.filter(({ country }) => country === 'DE')
    const [oss] = await vatIn()
    await correct(number, {
      vatNumber: 'DE123456789',
      name: COMPANY.company,
      address: COMPANY.companyAddress,
    })
    const { found } = await correctionOf(paymentId)
    expect(found?.snapshot).toMatchObject({
      ...{ vatRate: 0, vatMinor: 0, netMinor: was.totalMinor, totalMinor: was.totalMinor },
      vat: { treatment: 'reverse-charge', country: 'DE', number: 'DE123456789', numberStanding: 'valid' },
    })
    expect(found?.snapshot.sterling?.vatMinor).toBe(0)
    const after = await vatIn()
    expect(after.find(({ treatment }) => treatment === 'oss')?.vatMinor).toBe(
      (oss?.vatMinor ?? 0) - (was.sterling?.vatMinor ?? 0),
    )
    expect(await faultsOfPapers()).toEqual([])
  })

  test.each([
    [{}, 'says this already'],
    [{ vatNumber: 'DE123456789', address: '1 Lane', private: true }, 'no VAT number'],
    [{ vatNumber: 'DE123456200', name: 'Ada', address: '1 Lane' }, 'does not list'],
    [{ vatNumber: 'DE123456300', name: 'Ada', address: '1 Lane' }, 'VIES does not answer'],
    [{ vatNumber: 'DE123456789' }, 'name and address of the business'],
    [{ country: 'XX' }, 'Choose your country'],
  ])('is refused with %o', async (body, words) => {
    const { paymentId, number } = await buy({ country: 'DE' })
    await expect(correct(number, body)).rejects.toThrow(words)
    expect((await correctionOf(paymentId)).found).toBeUndefined()
  })

  test('is of what is left, and a refund afterwards credits the new invoice', async () => {
    const { paymentId, number, was } = await buy({ country: 'DE' })
    await refund(shop, paymentId, '10.01')
    await noted(shop, paymentId, 1)
    const made = await correct(number, { country: 'FI' })
    const { found } = await correctionOf(paymentId)
    expect(found?.snapshot).toMatchObject({ totalMinor: was.totalMinor - 1001, vatRate: 25.5 })
    await refund(shop, paymentId, '5.00')
    await refund(shop, paymentId)
    const notes = await noted(shop, paymentId, 3)
    expect(notes.map(({ snapshot }) => snapshot.invoice.number)).toEqual([number, made.invoice, made.invoice])
    for (const sum of ['totalMinor', 'netMinor', 'vatMinor'] as const)
      expect(notes.slice(1).reduce((all, { snapshot }) => all + snapshot[sum], 0)).toBe(found?.snapshot[sum])
    await expect(correct(made.invoice, { country: 'DE' })).rejects.toThrow('nothing is left')
    expect(await faultsOfPapers()).toEqual([])
  })

  test('is seen by the month check where it is wrong', async () => {
    const { number, paymentId } = await buy({ country: 'FR' })
    await correct(number, { name: 'Ada' })
    await sql`alter table invoice_corrections disable trigger invoice_corrections_stay`.execute(shop.db)
    const { found } = await correctionOf(paymentId)
    for (const [column, path, value] of [
      ['snapshot', '{totalMinor}', '1'],
      ['snapshot', '{correction,creditNote}', '"CN-2020-000001"'],
      ['credit_snapshot', '{invoice,number}', '"2020-000001"'],
      ['snapshot', '{vat,treatment}', '"outside"'],
    ] as const) {
      const set = (to: string) =>
        sql`update invoice_corrections set ${sql.ref(column)} = ${to}::jsonb where id = ${found?.id}`.execute(
          shop.db,
        )
      const kept = JSON.stringify(found?.[column])
      await sql`update invoice_corrections set ${sql.ref(column)} = jsonb_set(${sql.ref(column)}, ${sql.lit(path)}, ${sql.lit(value)})
        where id = ${found?.id}`.execute(shop.db)
      expect(
        (await faultsOfPapers()).map(({ id }) => id),
        path,
      ).toContain('invoice-corrections')
      await set(kept)
    }
    await sql`alter table invoice_corrections enable trigger invoice_corrections_stay`.execute(shop.db)
    expect(await faultsOfPapers()).toEqual([])
  })
})

describe('a VAT number that VIES answers about late', () => {
  const again = () =>
    askAgain({
      db: shop.db,
      settings: shop.settings,
      vies: createVies(shop.settings, () => undefined),
      log: console as never,
    })

  test('and that is valid takes the VAT off, once', async () => {
    const { paymentId } = await buy({ country: 'DE', vatNumber: 'DE123456300' })
    await again()
    expect((await correctionOf(paymentId)).found).toBeUndefined()
    await sql`update payments set vat_number = 'DE123456789' where id = ${paymentId}`.execute(shop.db)
    await Promise.all([again(), again()])
    const { found, another } = await correctionOf(paymentId)
    expect(found?.snapshot).toMatchObject({
      vatRate: 0,
      vat: { treatment: 'reverse-charge', numberStanding: 'valid' },
    })
    expect(another).toBeUndefined()
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      vies_late_answer: 'valid',
      vies_name: 'Example GmbH',
    })
    expect(await faultsOfPapers()).toEqual([])
  })

  test.each([
    ['valid', 'DE123456789', undefined],
    ['invalid', 'DE123456200', 'oss'],
  ])('after it took the VAT off unchecked, and that is %s', async (answer, vatNumber, treatment) => {
    const { paymentId } = await buy({ country: 'DE', vatNumber: 'DE123456789' })
    await sql`update payments set vat_number_standing = 'unchecked', vat_number = ${vatNumber} where id = ${paymentId}`.execute(
      shop.db,
    )
    await again()
    expect((await correctionOf(paymentId)).found?.snapshot.vat?.treatment).toBe(treatment)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ vies_late_answer: answer })
    expect(await faultsOfPapers()).toEqual([])
  })
})
