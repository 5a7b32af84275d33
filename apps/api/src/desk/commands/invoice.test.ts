import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { eraseAccount } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aCreditNote, anInvoice, openBooks } from '#testing/papers.ts'
import { aPurchase } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { startTestShop } from '#testing/test-shop.ts'

const at = (day: string) => `${day}T12:00:00.000Z`

describe('ops invoice and credit-note', { timeout: 120_000 }, () => {
  test('show all that was written of a sale and of what went back of it', async () => {
    const shop = await startTestShop()
    const ops = (...args: string[]) => runOps(opsSettings(shop), ...args)
    const { paymentId, order, customer } = await aPurchase(shop)
    const name = await until(async () => {
      await hurry(shop, 'issue-invoices')
      return (await ops('invoice', 'list', '--json')).json.invoices[0]?.number
    })
    await ops('refund', paymentId, '1.11', '--yes')
    await until(async () => (await refundsOf(shop, paymentId)).some(({ status }) => status === 'Success'))
    const note = await until(async () => {
      await hurry(shop, 'issue-invoices')
      return (await ops('credit-note', 'list', '--json')).json.creditNotes[0]?.number
    })
    const { json } = await ops('invoice', 'show', name, '--json')
    expect(json).toMatchObject({
      number: name,
      orderId: order.orderId,
      currency: 'EUR',
      vatRate: 20,
      treatment: 'uk',
      buyer: { name: 'Ada Lovelace' },
      sterling: { rate: '1.15' },
      payment: { id: paymentId, refunded: '1.11' },
      creditNotes: [{ number: note, total: '1.11', invoice: name }],
    })
    const { out } = await ops('invoice', 'show', String(Number(name.slice(5))))
    expect(out).toMatch(new RegExp(`^invoice +${name}$`, 'm'))
    expect(out).toMatch(/^in pounds +net £[\d.]+, VAT £[\d.]+, total £[\d.]+, at 1\.15 of \d{4}-\d\d-01$/m)
    expect(out).toMatch(new RegExp(`^credit note +${note} of .*: €1\\.11$`, 'm'))
    const shown = await ops('credit-note', 'show', note)
    expect(shown.out).toMatch(new RegExp(`^invoice +${name} of `, 'm'))
    expect((await ops('credit-note', 'show', note, '--json')).json).toMatchObject({
      invoice: name,
      total: '1.11',
    })
    expect((await ops('invoice', 'list')).out).toMatch(
      new RegExp(`^${name} .*United Kingdom, 20% +€1\\.11$`, 'm'),
    )
    // Whom it was to stays in the books when the account goes.
    await eraseAccount(shop, customer)
    expect((await ops('invoice', 'show', name, '--json')).json).toMatchObject({
      buyer: { name: 'Ada Lovelace' },
      payment: { customerId: null },
    })
  })

  test('list the newest first, of a period or of all, and say when there are more', async () => {
    const books = await openBooks()
    const first = await anInvoice(books, { paidAt: at('2026-10-01') })
    const second = await anInvoice(books, { paidAt: at('2026-11-01') })
    const note = await aCreditNote(books, first, { refundedAt: at('2026-11-02') })
    const numbers = async (...args: string[]) => {
      const { json } = await books.ops(...args, '--json')
      return (json.invoices ?? json.creditNotes).map(({ number }: { number: string }) => number)
    }
    expect(await numbers('invoice', 'list')).toEqual([second.name, first.name])
    expect(await numbers('invoice', 'list', '--month', '2026-10')).toEqual([first.name])
    expect(await numbers('credit-note', 'list', '--month', '2026-10')).toEqual([])
    expect(await numbers('credit-note', 'list', '--from', '2026-11-02', '--to', '2026-11-02')).toEqual([
      note.name,
    ])
    expect((await books.ops('invoice', 'list', '--limit', '1', '--json')).json.hasMore).toBe(true)
    expect((await books.ops('invoice', 'show', '2026-000099')).err).toMatch(
      /^There is no invoice with this number/,
    )
    expect((await books.ops('credit-note', 'show', '99')).err).toMatch(
      /^There is no credit note with this number/,
    )
  })

  test('credit notes are numbered by themselves, and numbers given in a shop that was lost are left out', async () => {
    const books = await openBooks()
    const sold = await anInvoice(books, { paidAt: new Date().toISOString() })
    const { name } = await aCreditNote(books, sold, { refundedAt: new Date().toISOString() })
    const year = name.slice(3, 7)
    const from = (...args: string[]) => books.ops('credit-note', 'from', ...args)
    expect((await from('12')).err).toMatch(
      /^10 numbers, CN-\d{4}-000002 to CN-\d{4}-000011, will be left out .* There is no terminal/,
    )
    const outcomes = await Promise.all([
      from('12', '--yes', '--json'),
      from(`cn-${year}-12`, '--yes', '--json'),
    ])
    expect(outcomes.map(({ json }) => json.isChanged).sort()).toEqual([false, true])
    expect((await from('5', '--yes')).err).toContain(`Credit notes up to CN-${year}-000011 have been issued`)
    expect((await books.ops('credit-note', 'next', '--json')).json).toMatchObject({
      next: `CN-${year}-000012`,
      missing: [{ from: `CN-${year}-000002`, to: `CN-${year}-000011` }],
    })
    expect((await books.ops('invoice', 'next', '--json')).json).toEqual({
      next: `${year}-000002`,
      missing: [],
    })
  })
})
