import { expect, test } from 'vitest'
import { fetchSettlement } from '#accounting/settlement/fetch-settlement.ts'
import { listRuns } from '#accounting/settlement/settlement.service.ts'
import type { BookingsPage } from '#money/gateway/booking-source.ts'
import { DataFault } from '#money/gateway/data-fault.ts'
import { readTransaction } from '#money/gateway/stripe/stripe-bookings.ts'
import { openBooks } from '#testing/papers.ts'

const DAY = { from: new Date('2026-11-02'), to: new Date('2026-11-03') }

const aFee = (id: string) =>
  readTransaction({
    ...{ id, amount: -20, fee: 0, currency: 'gbp', created: DAY.from.getTime() / 1000 + 60 },
    ...{ type: 'stripe_fee', reporting_category: 'fee', source: null },
  })

test('goes on after a crash where the last page that was kept ended, each day once', async () => {
  const { db } = await openBooks()
  const PAGES: Record<string, BookingsPage> = {
    first: { rows: [aFee('txn_1'), aFee('txn_2')], next: 'txn_2' },
    txn_2: { rows: [aFee('txn_3')], next: 'txn_3' },
    txn_3: { rows: [aFee('txn_2'), aFee('txn_4')], next: undefined },
  }
  const asked: string[] = []
  let isAway = true
  const source = {
    gateway: 'stripe' as const,
    page: async (_: unknown, after = 'first') => {
      asked.push(after)
      if (isAway && after === 'txn_3') throw new DataFault('away')
      return PAGES[after] as BookingsPage
    },
  }
  const fetch = () => fetchSettlement({ db, source }, DAY, { isDaily: true })
  await expect(fetch()).rejects.toThrow('away')
  isAway = false
  expect(await fetch()).toMatchObject({ isWhole: true, created: 1, same: 1 })
  expect(asked).toEqual(['first', 'txn_2', 'txn_3', 'txn_3'])
  expect(await listRuns(db, 10)).toMatchObject([{ new_count: 4, next_offset: 5, gateway: 'stripe' }])
})
