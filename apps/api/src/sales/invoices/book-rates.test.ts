import { isoDay } from '@hedgerow/domain/dates'
import { addMonths, daysOfMonth, monthOf } from '@hedgerow/domain/periods'
import { describe, expect, test } from 'vitest'
import { listAlerts } from '#care/overview/alerts.ts'
import { type RateKind, setBookRates } from '#sales/invoices/set-accounting-rate.ts'
import {
  countMissingSterling,
  inSterling,
  listAccountingRates,
  readSterlingRates,
} from '#sales/invoices/sterling.ts'
import { anInvoice, openBooks } from '#testing/papers.ts'

const THIS_MONTH = monthOf(isoDay(new Date()))

const open = async () => {
  const { db } = await openBooks()
  const setOf =
    (kind: RateKind, currency: string) =>
    (rateMicro: number, day: string, options: { isMeant?: boolean; correct?: boolean } = {}) =>
      setBookRates({ db }, kind, [{ currency, day, rateMicro }], {
        isMeant: false,
        correct: false,
        ...options,
      })
  return {
    db,
    sterling: setOf('sterling', 'EUR'),
    ecb: setOf('ecb', 'GBP'),
    rates: async (kind: RateKind) =>
      (await listAccountingRates(db, kind)).map(({ day, rateMicro }) => [day, rateMicro]),
  }
}

describe('HMRC’s rate of a month', () => {
  test('is set once: again it is known, another is refused, and it is corrected when that is said', async () => {
    const { sterling, rates } = await open()
    expect(await sterling(1_153_400, '2026-10-01')).toEqual([{ kind: 'set' }])
    expect(await sterling(1_153_400, '2026-10-01')).toEqual([{ kind: 'known' }])
    expect(await sterling(1_160_000, '2026-10-01')).toMatchObject({
      code: 'set-before',
      rate: { rateMicro: 1_153_400 },
    })
    expect(await sterling(1_160_000, '2026-10-01', { correct: true })).toEqual([
      { kind: 'corrected', wasMicro: 1_153_400 },
    ])
    expect(await rates('sterling')).toEqual([['2026-10-01', 1_160_000]])
  })

  test('stays once an invoice was written with it', async () => {
    const { db, sterling } = await open()
    await sterling(1_160_000, '2026-10-01')
    // November had none of its own when this was sold.
    const sums = { totalMinor: 1200, netMinor: 1000, vatMinor: 200 }
    const paidAt = '2026-11-05T12:00:00.000Z'
    const inPounds = inSterling(sums, 'EUR', await readSterlingRates(db), isoDay(new Date(paidAt)))
    await anInvoice({ db }, { paidAt, currency: 'EUR', ...sums, ...(inPounds ? { sterling: inPounds } : {}) })
    expect(await sterling(1_170_000, '2026-10-01', { correct: true })).toMatchObject({ code: 'used' })
    await sterling(1_170_000, '2026-11-01')
    expect(await sterling(1_180_000, '2026-11-01', { correct: true })).toMatchObject([{ kind: 'corrected' }])
  })

  test('is one, if two operators set it at once', async () => {
    const { sterling, rates } = await open()
    const outcomes = await Promise.all([sterling(1_150_000, '2026-10-01'), sterling(1_160_000, '2026-10-01')])
    expect(outcomes.filter((outcome) => 'code' in outcome)).toHaveLength(1)
    expect(await rates('sterling')).toHaveLength(1)
  })

  test('has to be meant where it is more than a tenth from the one beside', async () => {
    const { sterling } = await open()
    await sterling(1_150_000, '2026-10-01')
    const far = { code: 'far', from: 1_150_000, of: '2026-10' }
    expect(await sterling(11_500_000, '2026-11-01')).toMatchObject(far)
    expect(await sterling(1_500_000, '2026-09-01')).toMatchObject(far)
    expect(await sterling(1_500_000, '2026-09-01', { isMeant: true })).toEqual([{ kind: 'set' }])
    expect(await sterling(1_265_000, '2026-11-01')).toEqual([{ kind: 'set' }])
  })

  test('may be of the next month, and of none after it', async () => {
    const { sterling } = await open()
    expect(await sterling(1_150_000, `${addMonths(THIS_MONTH, 1)}-01`)).toEqual([{ kind: 'set' }])
    expect(await sterling(1_150_000, `${addMonths(THIS_MONTH, 2)}-01`)).toMatchObject({
      code: 'not-published',
    })
  })

  test('is set with all others of its file, or none is', async () => {
    const { db, rates } = await open()
    const both = ['2026-10-01', '2099-01-01'].map((day) => ({ currency: 'EUR', day, rateMicro: 1_150_000 }))
    const outcome = await setBookRates({ db }, 'sterling', both, { isMeant: false, correct: false })
    expect(outcome).toMatchObject({ code: 'not-published', day: '2099-01-01' })
    expect(await rates('sterling')).toEqual([])
  })
})

test('the European Central Bank’s rate of a day is corrected when that is said, and is of no day to come', async () => {
  const { ecb, rates } = await open()
  expect(await ecb(873_100, '2026-09-30')).toEqual([{ kind: 'set' }])
  expect(await ecb(880_000, '2026-09-30')).toMatchObject({ code: 'set-before' })
  expect(await ecb(880_000, '2026-09-30', { correct: true })).toMatchObject([{ kind: 'corrected' }])
  expect(await ecb(880_000, '2099-12-31')).toMatchObject({ code: 'not-published' })
  expect(await rates('ecb')).toEqual([['2026-09-30', 880_000]])
})

test('a month with sales and no rate in pounds is an alert, in its last three days the next month too', async () => {
  const { db, sterling } = await open()
  const last = new Date(`${daysOfMonth(THIS_MONTH).to}T12:00:00Z`)
  const early = new Date(`${THIS_MONTH}-05T12:00:00Z`)
  const alert = async () => (await listAlerts(db)).find(({ name }) => name === 'SterlingRateMissing')
  await anInvoice({ db }, { paidAt: `${THIS_MONTH}-01T12:00:00.000Z`, currency: 'GBP' })
  expect(await countMissingSterling(db, last)).toBe(0)
  await anInvoice({ db }, { paidAt: `${THIS_MONTH}-01T12:00:00.000Z`, currency: 'EUR' })
  expect([await countMissingSterling(db, early), await countMissingSterling(db, last)]).toEqual([1, 2])
  expect(await alert()).toMatchObject({ list: 'sterling-rates' })
  const set = (month: string) => sterling(1_150_000, `${month}-01`)
  await set(addMonths(THIS_MONTH, -1))
  expect(await countMissingSterling(db, early)).toBe(1)
  await set(THIS_MONTH)
  expect([await countMissingSterling(db, early), await countMissingSterling(db, last)]).toEqual([0, 1])
  await set(addMonths(THIS_MONTH, 1))
  expect(await countMissingSterling(db, last)).toBe(0)
  expect(await alert()).toBeUndefined()
})
