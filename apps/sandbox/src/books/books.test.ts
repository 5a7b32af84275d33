import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '#app.ts'
import {
  answerFor,
  aTransfer,
  booksOf,
  CARDS,
  call,
  type Json,
  openShop,
  reached,
  sell,
  soldAs,
  startTestSandbox,
  statusOf,
} from '#testing/merchant.ts'

const aDataDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const contents = (dir: string): string =>
  readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('\n')

test('lists payments, the newest first', async () => {
  const sandbox = await startTestSandbox()
  await soldAs(sandbox, 'ord_1')
  await soldAs(sandbox, 'ord_2', CARDS.declined)
  expect(await booksOf(sandbox)).toMatchObject([
    { id: 'ord_2', status: 'decline', account: { number: '411111******1111' } },
    {
      id: 'ord_1',
      status: 'success',
      amount: 3405,
      currency: 'GBP',
      account: { number: '400000******0077' },
      operations: [{ type: 'sale', status: 'success' }],
    },
  ])
})

test('never keeps a full card number or a security code', async () => {
  const dir = aDataDir()
  const sandbox = await startSandbox({ port: 0, smtpPort: 0, callbackDelayMs: 0, dataDir: dir })
  await soldAs(sandbox, 'ord_1')
  const list = JSON.stringify([await booksOf(sandbox), await booksOf(sandbox, '/ord_1')])
  const page = await (await fetch(`${sandbox.url}/gate/ord_1`)).text()
  await sandbox.close()
  const kept = contents(dir)
  expect(kept).toContain('400000******0077')
  for (const text of [list, page, kept]) {
    expect(text).not.toContain(CARDS.paid)
    expect(text).not.toMatch(/"?cvv"?|"987"/)
  }
})

test('delivers after a restart what was not delivered before it', async () => {
  const dataDir = aDataDir()
  const shop = await openShop(503)
  const first = await startSandbox({ port: 0, smtpPort: 0, callbackDelayMs: 0, retryScale: 1, dataDir })
  await sell(first, 'ord_1', CARDS.paid, shop.url)
  await shop.received(1)
  await first.close()

  const second = await startTestSandbox({ dataDir })
  const [before, after] = await shop.received(2)
  expect(after).toEqual(before)
  expect((await statusOf(second, 'ord_1')).payment.status).toBe('success')
})

test('decides after a restart what was accepted before it', async () => {
  const dataDir = aDataDir()
  const shop = await openShop()
  const first = await startSandbox({ port: 0, smtpPort: 0, callbackDelayMs: 3_600_000, dataDir })
  await sell(first, 'ord_1', CARDS.declined, shop.url)
  await first.close()

  await startTestSandbox({ dataDir })
  expect((await shop.received(1))[0].payment.status).toBe('decline')
})

test('still waits after a restart for a customer who was asked before it', async () => {
  const dataDir = aDataDir()
  const first = await startSandbox({ port: 0, smtpPort: 0, callbackDelayMs: 0, dataDir })
  await call(first, '/banks/uk/sale', 'ord_1', aTransfer(3851))
  await reached(first, 'ord_1', 'awaiting redirect result')
  await first.close()

  const second = await startTestSandbox({ dataDir })
  await reached(second, 'ord_1', 'awaiting redirect result')
  await answerFor(second, 'ord_1', { answer: 'approve' })
  await reached(second, 'ord_1', 'success')
})

test('is read page by page', async () => {
  const sandbox = await startTestSandbox()
  for (const id of ['ord_1', 'ord_2', 'ord_3']) await soldAs(sandbox, id)
  const ids = async (query: string) => (await booksOf(sandbox, query)).map(({ id }: Json) => id)
  expect(await ids('?limit=2')).toEqual(['ord_3', 'ord_2'])
  expect(await ids('?limit=2&before=ord_2')).toEqual(['ord_1'])
  expect(await ids('?before=ord_1')).toEqual([])
  expect(await booksOf(sandbox, '?before=ord_9')).toHaveProperty('error')
  expect(await booksOf(sandbox, '?limit=many')).toHaveProperty('error')
})

test('adds up what was settled and what went back, by currency', async () => {
  const sandbox = await startTestSandbox()
  await soldAs(sandbox, 'ord_1')
  await soldAs(sandbox, 'ord_2')
  await soldAs(sandbox, 'ord_3', CARDS.declined)
  await call(sandbox, '/card/refund', 'ord_2', {
    payment: { description: 'Returned', amount: 405, currency: 'GBP' },
  })
  await reached(sandbox, 'ord_2', 'partially reversed')
  expect(await (await fetch(`${sandbox.url}/gate/totals`)).json()).toEqual({
    payments: 3,
    statuses: { success: 1, 'partially reversed': 1, decline: 1 },
    settled: { GBP: 6810 },
    refunded: { GBP: 405 },
  })
  expect(await booksOf(sandbox, '/ord_2')).toMatchObject({ settled: 3405, refunded: 405, remaining: 3000 })
})

test('takes over books from before the next actions, and ends what was at the bank', async () => {
  const dataDir = aDataDir()
  const payment = (id: string, status: string, rest: Json) => ({
    ...{ id, status, method: 'card', amount: 3405, remaining: 3405, currency: 'GBP', description: '' },
    ...{ createdAt: 1, updatedAt: 1, customerId: 'u_42', declineUrl: 'https://shop.example/payment/reject' },
    account: { number: '431422******0056', type: 'visa', card_holder: 'ADA LOVELACE' },
    challengesMade: 0,
    operations: [{ id: 1, type: 'sale', status, code: '0', amount: 3405, createdAt: 1, updatedAt: 1 }],
    callbacks: { tried: 0, delivered: 0 },
    ...rest,
  })
  const paid = payment('ord_1', 'success', { plan: { challenge: false, code: '0' } })
  const asked = payment('ord_2', 'awaiting 3ds result', {
    plan: { challenge: true, code: '0' },
    challenge: { id: 'c', since: 1 },
  })
  const lines = [paid, asked].map((each) => JSON.stringify({ kind: 'payment', payment: each }))
  writeFileSync(join(dataDir, 'books.jsonl'), lines.join('\n'))
  const sandbox = await startTestSandbox({ dataDir })
  expect((await reached(sandbox, 'ord_2', 'decline')).operations[0].code).toBe('108')
  expect((await statusOf(sandbox, 'ord_1')).payment.status).toBe('success')
})

test('takes over books in which the next actions were still called steps', async () => {
  const dataDir = aDataDir()
  const first = await startTestSandbox({ dataDir })
  await call(first, '/banks/uk/sale', 'ord_1', aTransfer(3851))
  await reached(first, 'ord_1', 'awaiting redirect result')
  await first.close()
  const file = join(dataDir, 'books.jsonl')
  const today = readFileSync(file, 'utf8')
  writeFileSync(file, today.replaceAll('"actions":', '"steps":').replaceAll('"action":', '"step":'))
  const second = await startTestSandbox({ dataDir })
  expect((await booksOf(second, '/ord_1')).waitsFor).toBe('bank')
  await answerFor(second, 'ord_1', { answer: 'approve' })
  await reached(second, 'ord_1', 'success')
})
