import { JOINED_BY } from '@hedgerow/contract/console/columns'
import * as endpoints from '@hedgerow/contract/console/endpoints'
import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { until } from '@hedgerow/testing/until'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { anOperator, consoleOfFile, headersOf } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import { chargeBack, decide, dispute, invoiced, openedDispute } from '#testing/disputes.ts'
import { hurry } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import { aPurchase, reached } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { aFile, DAYS, settlement } from '#testing/settlement.ts'

const { shop, consoleUrl } = await consoleOfFile()

type Row = Record<string, string>
const rowsOf = (csv: string): Row[] => parse(csv, { bom: true, columns: true })

const FILES = Object.values(endpoints as unknown as Record<string, OperatorEndpoint>).filter(
  (one) => one.isDownload && one.columns,
)

/** What a file of payments, orders, invoices or credit notes has, so that it can be joined to every other. */
const ALWAYS = [
  'paymentId',
  'orderId',
  'invoice',
  'operationId',
  'charged',
  'chargedCurrency',
  'total',
  'currency',
]
const isOfMoney = (heads: readonly string[]) =>
  heads.some((head) => ['paymentId', 'orderId', 'invoice', 'creditNote'].includes(head))

const blikPurchase = async () => {
  await setRate(shop, 'EUR', 4_250_000)
  const customer = await aCustomer(shop)
  const paymentId = await startBy(payByBlik, shop, customer, await anOrder(shop, customer))
  await reached(shop, paymentId, 'awaiting redirect result')
  await answerElsewhere(shop, paymentId, 'approve', '123456')
  await reached(shop, paymentId, 'Success')
  return paymentId
}

const refund = async (paymentId: string, amountMinor?: number) => {
  await requestRefund(shop, { paymentId, amountMinor, isAgain: true })
  await until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))
}

/** Payments by card and Blik, refunds whole and in equal parts, and a dispute that was lost. */
const live = async () => {
  const [whole, parts, lost] = [await aPurchase(shop), await aPurchase(shop), await aPurchase(shop)]
  const ids = [whole.paymentId, parts.paymentId, lost.paymentId, await blikPurchase()]
  for (const id of ids) await invoiced(shop, id)
  await refund(whole.paymentId)
  for (const amount of [100, 100]) await refund(parts.paymentId, amount)
  await refund(ids[3] as string, 500)
  const { id } = await chargeBack(shop, lost.paymentId)
  const opened = await openedDispute(shop, lost.paymentId)
  await decide(shop, id, { status: 'lost' })
  await dispute(shop, 'lost', opened.id, '--vat', 'credit-note', '--yes')
  const refunds = shop.db.selectFrom('refunds').select('id').where('is_noted', '=', false)
  await until(async () => {
    await hurry(shop, 'issue-invoices')
    return (await refunds.execute()).length === 0
  })
  expect((await settlement(shop, 'fetch', ...DAYS)).code).toBe(0)
  return ids
}

test('every export of payments can be joined to every other, row by row', async () => {
  const ids = await live()
  const books = rowsOf((await runOps(opsSettings(shop), 'invoice', 'export', ...DAYS)).out)
  const file = (await settlement(shop, 'show', ...DAYS, '--csv')).out
  const booked = rowsOf(file)
  expect(books).toHaveLength(9)
  expect(booked).toHaveLength(9)
  const joined = ['paymentId', 'orderId', 'invoice', 'creditNote', 'refundId', 'operationId'] as const
  const sums = ['charged', 'chargedCurrency', 'total', 'currency'] as const
  const keyOf = (row: Row) => [...joined, ...sums].map((name) => row[name])
  // Each document is one operation of the gateway, and each operation one document.
  expect(books.map(keyOf).toSorted()).toEqual(booked.map(keyOf).toSorted())
  for (const row of books) expect(ids).toContain(row.paymentId)
  expect(books.filter(({ chargedCurrency }) => chargedCurrency === 'PLN')).toMatchObject([
    { kind: 'invoice', currency: 'EUR' },
    { kind: 'credit-note', currency: 'EUR', charged: '-5.00' },
  ])
  const { json } = await settlement(shop, 'import', '--file', aFile(file), '--json')
  expect(json).toMatchObject({ new: 0, same: 9, changed: [] })
  const journal = rowsOf(
    (await runOps(opsSettings(shop), 'invoice', 'export', '--format', 'journal', ...DAYS)).out,
  )
  for (const row of books) {
    const idsOf = (one: Row) => joined.map((name) => one[name])
    const entries = journal.filter((one) => idsOf(one).join() === idsOf(row).join())
    // Its document and what the gateway booked for it; nothing of either is awaited any more.
    expect(new Set(entries.map(({ what }) => what)).size).toBe(2)
    const awaited = entries.filter(({ account }) => account === 'assets:gateway:awaited')
    expect(awaited.map(({ amount, currency }) => [Number(amount), currency])).toEqual([
      [Number(row.charged), row.chargedCurrency],
      [-Number(row.charged), row.chargedCurrency],
    ])
  }
  const operator = await anOperator(shop.db)
  for (const { url } of FILES) {
    const answer = await fetch(consoleUrl + url, { headers: headersOf(operator) })
    expect(answer.status, url).toBe(200)
    const rows = rowsOf(await answer.text())
    if (!isOfMoney(Object.keys(rows[0] ?? {}))) continue
    for (const row of rows) {
      const key = row.creditNote ? 'refundId' : 'orderId'
      const document = books.find((one) => one[key] === row[key] && one.creditNote === (row.creditNote ?? ''))
      for (const name of ['paymentId', 'orderId', 'invoice', 'operationId', 'chargedCurrency', 'currency'])
        expect(row[name], `${url} ${name}`).toBe(document?.[name])
    }
  }
})

test.each(FILES.map((file) => [file.url, file] as const))(
  '%s names what leads to other files as they do, and lacks none of it',
  (_, { columns = [] }) => {
    const heads = columns.flatMap(({ name, title, kind }) => {
      const head = JOINED_BY[title]
      // A name that other files have for something else, or something that they name otherwise.
      if (ALWAYS.includes(name)) expect(head ?? name).toBe(name === 'currency' ? undefined : name)
      if (kind !== 'sum') return head ?? []
      return [head ?? title, head === 'charged' ? 'chargedCurrency' : 'currency']
    })
    if (isOfMoney(heads)) expect(heads).toEqual(expect.arrayContaining(ALWAYS))
  },
)
