import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '#testing/backups.ts'
import { aCreditNote, anInvoice, openBooks } from '#testing/papers.ts'

const OCTOBER = ['--month', '2026-10']

test('invoice export names several files after one, and writes over none', async () => {
  const { ops, db } = await openBooks()
  const sold = await anInvoice({ db }, { paidAt: '2026-10-05T12:00:00.000Z' })
  await aCreditNote({ db }, sold, { refundedAt: '2026-10-06T12:00:00.000Z' })
  const folder = await aFolder()
  const write = (...more: string[]) =>
    ops('invoice', 'export', ...OCTOBER, '--out', join(folder, 'b.csv'), ...more)
  const split = ['--format', 'quickbooks']
  expect((await write(...split)).out).toMatch(/^Written: .*b-invoices\.csv/)
  expect((await readdir(folder)).sort()).toEqual(['b-credit-notes.csv', 'b-invoices.csv'])
  expect((await write(...split)).err).toMatch(/b-invoices\.csv already exists\. To replace it, add --force/)
  expect((await write(...split, '--force')).code).toBe(0)
  // Several files do not go to one output; one does.
  const mixed = await ops('invoice', 'export', ...OCTOBER, ...split)
  expect([mixed.code, mixed.out, mixed.err]).toEqual([1, '', expect.stringContaining('--out FILE')])
  expect((await ops('invoice', 'export', ...OCTOBER)).out).toContain('CN-2026-000001')
})

test('invoice export leaves no file where a rate is missing, and wants a period', async () => {
  const { ops, db } = await openBooks()
  await anInvoice({ db }, { paidAt: '2026-10-05T12:00:00.000Z', currency: 'EUR' })
  const folder = await aFolder()
  const { code, err } = await ops('invoice', 'export', ...OCTOBER, '--out', join(folder, 'b.csv'))
  expect([code, err]).toEqual([1, expect.stringContaining('HMRC’s rate of EUR for 2026-10')])
  expect(await readdir(folder)).toEqual([])
  expect((await ops('invoice', 'export')).code).toBe(2)
  expect((await ops('invoice', 'export', ...OCTOBER, '--account', '=1+1')).code).toBe(2)
  const none = await ops('invoice', 'export', '--month', '2025-01', '--format', 'xero')
  expect(none.err).toMatch(/^There is no invoice/)
})
