import { closeMonth, getMonthStatement, monthStatementFile } from '@hedgerow/contract/console/month'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { LocalCalls } from '#desk/console/local-calls.ts'
import { monthRoutes } from '#desk/month/month.routes.ts'
import { toolCaller } from '#people/operators/tool-caller.ts'
import { insertAccountingRate } from '#sales/invoices/sterling.ts'
import { callsBy } from '#testing/calls.ts'
import { aCreditNote, anInvoice, openBooks } from '#testing/papers.ts'

const open = async () => {
  const { db, ops } = await openBooks()
  const calls = callsBy((app) => monthRoutes(app, { db, exportDb: db, log: console as never }))
  return {
    ...{ db, ops },
    close: (month: string, reason?: string) =>
      calls.call(closeMonth, { params: { month }, body: reason ? { reason } : {} }),
    statement: (month: string) => calls.call(getMonthStatement, { query: { month } }),
    csv: (month: string) => calls.call(monthStatementFile, { query: { month } }),
    rows: () => db.selectFrom('closed_months').select(['month', 'closed_by', 'reason']).execute(),
  }
}

const SALE = { paidAt: '2026-10-05T12:00:00.000Z' }
/** Its net and VAT are not its total. */
const FAULTY = { ...SALE, netMinor: 1000, vatMinor: 201 }

const poundsOf = (view: unknown) =>
  Object.fromEntries(
    (view as { lines: { name: string; pounds: string | null }[] }).lines.map(({ name, pounds }) => [
      name,
      pounds,
    ]),
  )

describe('the statement of a month', () => {
  test('has the documents in pounds, the month before beside it, and what other money it was made of', async () => {
    const { db, statement, csv } = await open()
    await insertAccountingRate(db, 'sterling', { currency: 'EUR', day: '2026-10-01', rateMicro: 1_250_000 })
    await anInvoice({ db }, { paidAt: '2026-09-05T12:00:00.000Z', totalMinor: 2400 })
    const sold = await anInvoice({ db }, SALE)
    await anInvoice({ db }, { ...SALE, currency: 'EUR', totalMinor: 1500 })
    await aCreditNote({ db }, sold, {
      refundedAt: '2026-10-09T12:00:00.000Z',
      totalMinor: 600,
      netMinor: 500,
      vatMinor: 100,
    })
    const view = await statement('2026-10')
    expect(view).toMatchObject({ before: '2026-09', isOver: true, missingRates: [], closed: null })
    expect(poundsOf(view)).toMatchObject({
      sales: '20.00',
      'credit-notes': '-5.00',
      remains: '15.00',
      vat: '3.00',
    })
    expect(await csv('2026-10')).toContain('"Sales, without VAT",20.00,20.00,')
  })

  test('says which rate is missing, and no sum that would need it', async () => {
    const { db, statement, close } = await open()
    await anInvoice({ db }, { ...SALE, currency: 'EUR' })
    const view = await statement('2026-10')
    expect(view).toMatchObject({ missingRates: ['EUR'] })
    expect(poundsOf(view)).toMatchObject({ sales: null, remains: null, vat: null, fees: '0.00' })
    await expect(close('2026-10', 'Now.')).rejects.toThrow('Set the rate of EUR for October 2026 first.')
  })
})

describe('closing a month', () => {
  test('records who, when and what was proved, once for two at once, and again changes nothing', async () => {
    const { db, close, statement, rows } = await open()
    await anInvoice({ db }, SALE)
    const both = (await Promise.all([close('2026-10'), close('2026-10')])) as { isNew: boolean }[]
    expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true])
    expect(await close('2026-10', 'Again.')).toMatchObject({ isNew: false, month: '2026-10', by: 'tester' })
    expect(await rows()).toEqual([{ month: '2026-10', closed_by: 'tester', reason: null }])
    expect(await statement('2026-10')).toMatchObject({
      closed: { by: 'tester', reason: null, differed: 0, waited: [] },
      corrections: [],
    })
  })

  test('stays as it was: what changes later is shown beside it', async () => {
    const { db, close, statement, csv, ops } = await open()
    await anInvoice({ db }, SALE)
    await close('2026-10')
    await anInvoice({ db }, { ...SALE, totalMinor: 240 })
    const view = await statement('2026-10')
    expect(poundsOf(view)).toMatchObject({ sales: '10.00', remains: '10.00' })
    expect(view).toMatchObject({
      corrections: [
        { what: 'Sales, without VAT', closed: '10.00', now: '12.00', difference: '2.00' },
        { what: 'VAT on sales, less refunds', closed: '2.00', now: '2.40', difference: '0.40' },
        { what: 'What remains', closed: '10.00', now: '12.00', difference: '2.00' },
      ],
    })
    expect(await csv('2026-10')).toContain('"Changed since: Sales, without VAT",2.00')
    expect((await ops('month', 'statement', '--month', '2026-10')).out).toMatch(
      /Changed since it was closed:\n {2}Sales, without VAT: 10\.00, now 12\.00/,
    )
    expect(view).toMatchObject({ changedBefore: [] })
    expect(await statement('2026-11')).toMatchObject({ changedBefore: ['2026-10'] })
    for (const change of [
      sql`update closed_months set closed_by = 'nobody'`,
      sql`delete from closed_months`,
      sql`truncate closed_months`,
    ])
      await expect(change.execute(db)).rejects.toThrow('a month that was closed is never changed')
  })

  test('is refused while a total differs or something waits, unless a reason is given, which is kept', async () => {
    const { db, close, rows, statement } = await open()
    await anInvoice({ db }, FAULTY)
    await expect(close('2026-10')).rejects.toThrow(
      /^October 2026 is not in order: \d of \d+ totals differ.*To close it all the same, give a reason\.$/,
    )
    expect(await rows()).toEqual([])
    expect(await close('2026-10', 'Known: one penny.')).toMatchObject({ isNew: true })
    expect(await statement('2026-10')).toMatchObject({ closed: { reason: 'Known: one penny.' } })
    const viewers = new LocalCalls({ ...toolCaller('viewer'), permissions: new Set(['books.see']) })
    monthRoutes(viewers, { db, exportDb: db, log: console as never })
    expect(await viewers.call(getMonthStatement, { query: { month: '2026-10' } })).toMatchObject({
      closed: { reason: '…' },
    })
  })

  test('goes one after another, and never before the month is over', async () => {
    const { close } = await open()
    const running = new Date().toISOString().slice(0, 7)
    await expect(close(running, 'Now.')).rejects.toThrow(/is not over yet\.$/)
    await expect(close('2099-01')).rejects.toThrow()
    await close('2026-08')
    await expect(close('2026-10')).rejects.toThrow(
      'Months are closed one after another, and September 2026 is next.',
    )
    await expect(close('2026-07', 'Earlier.')).rejects.toThrow(/September 2026 is next/)
    expect(await close('2026-09')).toMatchObject({ isNew: true })
  })

  test('is asked by the tool, and recorded', async () => {
    const { db, ops, rows } = await open()
    await anInvoice({ db }, SALE)
    const { code, out, err } = await ops('month', 'close', '2026-10', '--yes')
    expect([code, err], out).toEqual([0, ''])
    expect(await rows()).toHaveLength(1)
    const { rows: recorded } = await sql<{ command: string; subject: string }>`
      select command, subject from operator_actions`.execute(db)
    expect(recorded).toEqual([{ command: 'month close', subject: '2026-10' }])
  })
})
