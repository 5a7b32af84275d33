import { text } from 'node:stream/consumers'
import * as contract from '@hedgerow/contract/console/invoices'
import { describe, expect, test } from 'vitest'
import { invoicesRoutes } from '#desk/invoices/invoices.routes.ts'
import { callsBy } from '#testing/calls.ts'
import { aCreditNote, anInvoice, type Books, openBooks } from '#testing/papers.ts'

const at = (day: string) => `${day}T12:00:00.000Z`

const open = async () => {
  const books = await openBooks()
  const { db } = books
  const calls = callsBy((app) =>
    invoicesRoutes(app, { db, exportDb: db, settings: {} as never, log: console as never }),
  )
  const numbers = async (
    call: typeof contract.listConsoleInvoices | typeof contract.listConsoleCreditNotes,
    query: object,
  ) =>
    ((await calls.call(call, { query })) as { rows: { number: string }[] }).rows.map(({ number }) => number)
  return { books, calls, numbers }
}

const sell = async (books: Books) => {
  const uk = await anInvoice(books, {
    paidAt: at('2026-10-05'),
    totalMinor: 12_000,
    buyer: { name: '=HYPERLINK("http://evil.example")', address: ['+1 Lane'] },
    sterling: { rateMicro: 1_150_000, rateDay: '2026-10-01', netMinor: 870, vatMinor: 173, totalMinor: 1043 },
  })
  const oss = await anInvoice(books, {
    paidAt: at('2026-10-05'),
    totalMinor: 11_900,
    vatRate: 19,
    currency: 'EUR',
    vat: { treatment: 'oss', country: 'DE' },
  })
  const later = await anInvoice(books, { paidAt: at('2026-11-01'), currency: 'EUR', totalMinor: 1_153 })
  const sums = { totalMinor: 1_200, netMinor: 1_000, vatMinor: 200 }
  const { name: note } = await aCreditNote(books, uk, { refundedAt: at('2026-11-02'), ...sums })
  return { uk, oss, later, note }
}

describe('invoices and credit notes', () => {
  test('are listed the newest first, by days of London, currency and tax', async () => {
    const { books, numbers } = await open()
    const { uk, oss, later, note } = await sell(books)
    const invoices = (query: object) => numbers(contract.listConsoleInvoices, query)
    const notes = (query: object) => numbers(contract.listConsoleCreditNotes, query)
    expect(await invoices({})).toEqual([later.name, ...(await invoices({ month: '2026-10' }))])
    expect((await invoices({ month: '2026-10' })).toSorted()).toEqual([uk.name, oss.name])
    expect(await invoices({ quarter: '2026-q4', currency: 'GBP' })).toEqual([uk.name])
    expect(await invoices({ from: '2026-10-06', to: '2026-11-01' })).toEqual([later.name])
    expect(await invoices({ treatment: 'oss' })).toEqual([oss.name])
    expect(await notes({ month: '2026-10' })).toEqual([])
    expect(await notes({ from: '2026-11-02' })).toEqual([note])
  })

  test.each([
    [{ from: '2026-02-31' }],
    [{ from: '2026-10-02', to: '2026-10-01' }],
    [{ from: '2026-10-02', month: '2026-10' }],
    [{ month: '2026-10', quarter: '2026-Q4' }],
    [{ month: '2026-13' }],
    [{ treatment: '__proto__' }],
  ])('are not listed by %j', async (query) => {
    const { numbers } = await open()
    await expect(numbers(contract.listConsoleInvoices, query)).rejects.toThrow()
  })

  test('are listed without names, and with what was credited, also in a file', async () => {
    const { books, calls } = await open()
    const { uk, note } = await sell(books)
    const query = { currency: 'GBP' }
    const { rows } = (await calls.call(contract.listConsoleInvoices, { query })) as {
      rows: contract.InvoiceLine[]
    }
    expect(rows).toMatchObject([
      {
        number: uk.name,
        total: { minor: 12_000, currency: 'GBP' },
        net: { minor: 10_000 },
        vat: { minor: 2_000 },
        credited: { minor: 1_200 },
        tax: 'United Kingdom, 20%',
        orderId: uk.orderId,
      },
    ])
    const file = await text((await calls.call(contract.exportInvoices, { query })) as never)
    for (const written of [JSON.stringify(rows), file]) expect(written).not.toMatch(/HYPERLINK|Lane|LOVELACE/)
    expect(file).toMatch(
      /^\uFEFFinvoice,Paid \(UTC\),Issued \(UTC\),Net,currency,VAT,total,Tax,charged,chargedCurrency,orderId,paymentId,operationId,Credited\r\n2026-000001,/,
    )
    const notes = (await calls.call(contract.listConsoleCreditNotes, {})) as {
      rows: contract.CreditNoteLine[]
    }
    expect(notes.rows).toMatchObject([
      {
        number: note,
        invoice: uk.name,
        paymentId: uk.paymentId,
        total: { minor: 1_200 },
        reason: 'operator',
      },
    ])
  })

  test('are opened with all that was written, the sum in pounds and what went back', async () => {
    const { books, calls } = await open()
    const { uk, note } = await sell(books)
    const opened = async (
      call: typeof contract.openInvoice | typeof contract.openCreditNote,
      number: string,
    ) => {
      const answer = (await calls.call(call, { params: { number } })) as {
        facts: { what: string; says: string }[]
        orderId: string
        paymentId: string
      }
      const { orderId, paymentId } = answer
      return {
        orderId,
        paymentId,
        facts: Object.fromEntries(answer.facts.map(({ what, says }) => [what, says])),
      }
    }
    const of = { orderId: uk.orderId, paymentId: uk.paymentId }
    expect(await opened(contract.openInvoice, uk.name)).toMatchObject({
      ...of,
      facts: {
        invoice: uk.name,
        to: '=HYPERLINK("http://evil.example"), +1 Lane',
        VAT: '£20.00 (United Kingdom, 20%)',
        'in pounds': 'net £8.70, VAT £1.73, total £10.43, at 1.15 of 2026-10-01',
        payment: expect.stringContaining(`${uk.paymentId}, Success, £120.00 charged`),
        'credit note': `${note} of 02/11/2026: £12.00`,
      },
    })
    expect(await opened(contract.openCreditNote, note)).toMatchObject({
      ...of,
      facts: {
        'credit note': note,
        invoice: `${uk.name} of 05/10/2026`,
        because: 'operator',
        total: '£12.00',
      },
    })
    for (const number of ['1999-000001', '9999-999999999', 'x', "2026-000001'", '2026-0000010000000', note])
      await expect(opened(contract.openInvoice, number)).rejects.toThrow()
    for (const number of ['CN-1999-000001', uk.name])
      await expect(opened(contract.openCreditNote, number)).rejects.toThrow()
  })

  test('are found in the tool by a number of this year', async () => {
    const { books } = await open()
    const { name } = await anInvoice(books, { paidAt: new Date().toISOString() })
    const shown = await books.ops('invoice', 'show', String(Number(name.slice(5))))
    expect(shown.out).toMatch(new RegExp(`^invoice +${name}$`, 'm'))
    expect((await books.ops('credit-note', 'show', '99')).code).toBe(1)
  })
})

describe('numbers that were given in a shop that was lost', () => {
  test('are left out and recorded, once; the next is never lower', async () => {
    const { books, calls } = await open()
    const now = { paidAt: new Date().toISOString() }
    const { name } = await aCreditNote(books, await anInvoice(books, now), { refundedAt: now.paidAt })
    const year = name.slice(3, 7)
    const setTo = (number: string) => calls.call(contract.setNextCreditNote, { body: { number } })
    const outcomes = (await Promise.all([setTo('12'), setTo(`cn-${year}-12`)])) as { isChanged: boolean }[]
    expect(outcomes.map(({ isChanged }) => isChanged).toSorted()).toEqual([false, true])
    const next = {
      next: `CN-${year}-000012`,
      missing: [{ from: `CN-${year}-000002`, to: `CN-${year}-000011` }],
    }
    expect(outcomes).toMatchObject([next, next])
    await expect(setTo('5')).rejects.toThrow(
      `Numbers up to CN-${year}-000011 have been issued, so the next must be higher.`,
    )
    for (const number of ['0', '-1', '1.5', '99999999', `${year}-12x`, ''])
      await expect(setTo(number)).rejects.toThrow()
    expect(await calls.call(contract.getNextCreditNote, {})).toMatchObject(next)
    expect(await calls.call(contract.getNextInvoice, {})).toEqual({ next: `${year}-000002`, missing: [] })
  })
})
