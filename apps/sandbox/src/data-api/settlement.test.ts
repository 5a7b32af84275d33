import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signatureOf } from '@hedgerow/gate/signature'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Sandbox } from '#app.ts'
import { DEFAULT_SETTINGS } from '#settings.ts'
import { CARDS, call, type Json, reached, soldAs, startTestSandbox } from '#testing/merchant.ts'

const ALL = { interval: { from: '2020-01-01 00:00:00', to: '2090-01-01 00:00:00' }, tz: 'UTC' }

const ask = async (sandbox: Sandbox, path: string, question: Json, token = DEFAULT_SETTINGS.dataToken) => {
  const body: Json = { token, ...question }
  body.signature = signatureOf(body, DEFAULT_SETTINGS.secret)
  const reply = await fetch(`${sandbox.url}/data/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: (await reply.json()) as Json }
}

const post = async (sandbox: Sandbox, path: string, body: Json): Promise<Json> => {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

const operationsOf = async (sandbox: Sandbox, more: Json = {}): Promise<Json[]> =>
  (await ask(sandbox, 'financial-reporting/operations', { ...ALL, ...more })).body.operations

/** A sale with a part given back, and one that was declined. */
const sales = async (sandbox: Sandbox) => {
  await soldAs(sandbox, 'ord_1')
  await soldAs(sandbox, 'ord_2', CARDS.declined)
  const payment = { description: 'Returned', amount: 405, currency: 'GBP' }
  await call(sandbox, '/card/refund', 'ord_1', { payment })
  await reached(sandbox, 'ord_1', 'partially reversed')
}

describe('the Data API', () => {
  test('tells operations with their fees, and balances that are their sum', async () => {
    const sandbox = await startTestSandbox()
    await sales(sandbox)
    const operations = await operationsOf(sandbox)
    expect(operations).toMatchObject([
      { payment_id: 'ord_1', operation_type: 'sale', operation_status: 'success', fee: { amount: 68 } },
      { payment_id: 'ord_2', operation_status: 'decline', fee: { amount: 0, currency: 'GBP' } },
      { payment_id: 'ord_1', operation_type: 'reversal', sum_initial: { amount: 405, currency: 'GBP' } },
    ])
    const { body } = await ask(sandbox, 'balance/get', ALL)
    const amount = 3405 - 68 - 405 - 15
    expect(body.balances).toEqual([{ currency: 'GBP', amount, opening_amount: 0, closing_amount: amount }])
    expect((await ask(sandbox, 'operations/get', ALL)).body.operations[0]).not.toHaveProperty('fee')
  })

  test('is read page by page, by zone, and by field', async () => {
    const sandbox = await startTestSandbox()
    await sales(sandbox)
    const all = await operationsOf(sandbox)
    const pages = [
      await operationsOf(sandbox, { limit: 2 }),
      await operationsOf(sandbox, { limit: 2, offset: 2 }),
    ]
    expect(pages.flat()).toEqual(all)
    expect(await operationsOf(sandbox, { offset: 3 })).toEqual([])
    const fields = ['operation_id', 'country_by_bin']
    expect((await operationsOf(sandbox, { fields, limit: 1 }))[0]).toEqual({
      operation_id: all[0]?.operation_id,
      country_by_bin: 'GB',
    })
    const at = '2026-07-01T12:00:00Z'
    await post(sandbox, '/gate/bookings', { type: 'service fee', amount: 5, currency: 'EUR', at })
    const hour = { from: '2026-07-01 14:00:00', to: '2026-07-01 14:00:01' }
    const [fee, ...others] = await operationsOf(sandbox, { interval: hour, tz: 'Europe/Berlin' })
    expect(fee).toMatchObject({
      operation_type: 'service fee',
      operation_completed_at: '2026-07-01 14:00:00',
    })
    expect(others).toEqual([])
  })

  test.each([
    ['without an interval', { interval: undefined }],
    [
      'with an interval that ends before it begins',
      { interval: { from: ALL.interval.to, to: ALL.interval.from } },
    ],
    ['for more than a thousand', { limit: 1001 }],
    ['for a field that there is none of', { fields: ['cvv'] }],
    ['in no zone', { tz: 'Nowhere/At' }],
  ])('refuses to be asked %s', async (_, more) => {
    const sandbox = await startTestSandbox()
    expect((await ask(sandbox, 'financial-reporting/operations', { ...ALL, ...more })).status).toBe(400)
  })

  test('refuses lists in lists without end wherever a text is asked for', async () => {
    const { url } = await startTestSandbox()
    const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    const send = (method: string, path: string, body: string) =>
      fetch(url + path, { method, body, headers: { 'content-type': 'application/json' } })
    const times = await send('PUT', '/gate/operations/times', `{"1":${nested}}`)
    const booking = `{"type":"sale","amount":1,"currency":"EUR","at":${nested}}`
    expect([times.status, (await send('POST', '/gate/bookings', booking)).status]).toEqual([400, 400])
  })

  test('tells nobody anything without the token', async () => {
    const sandbox = await startTestSandbox()
    expect((await ask(sandbox, 'balance/get', ALL, 'another')).status).toBe(403)
  })
})

describe('payouts and bookings', () => {
  test('empty the balances, and are in the report and its file', async () => {
    const sandbox = await startTestSandbox()
    await sales(sandbox)
    await post(sandbox, '/gate/bookings', { type: 'balance correction', amount: -17, currency: 'GBP' })
    const [payout] = await post(sandbox, '/gate/payouts', {})
    expect(payout).toMatchObject({ type: 'funds transfer', currency: 'GBP', amount: 2917 - 17 - 25, fee: 25 })
    expect(await (await fetch(`${sandbox.url}/gate/balances`)).json()).toEqual({ GBP: 0 })
    expect(await post(sandbox, '/gate/payouts', {})).toEqual([])
    const csv = await (await fetch(`${sandbox.url}/gate/operations.csv`)).text()
    expect(csv.split('\r\n')[0]).toMatch(/^operation_id,project_id,payment_id,operation_type,/)
    expect(csv).toMatch(/,funds transfer,success,.*,28\.75,GBP,28\.75,GBP,0\.25,GBP,/)
    expect(csv).not.toContain(CARDS.paid)
  })

  test('are pressed on the page', async () => {
    const sandbox = await startTestSandbox()
    await sales(sandbox)
    expect(await (await fetch(`${sandbox.url}/gate`)).text()).toContain('Pay out now')
    const form = { type: 'balance correction', amount: '1000', currency: 'EUR' }
    const send = (path: string, fields: Record<string, string>) =>
      fetch(sandbox.url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
    expect((await send('/gate/bookings', form)).status).toBe(303)
    expect(await (await fetch(`${sandbox.url}/gate/settlement`)).text()).toContain('€10.00')
    expect((await send('/gate/payouts', {})).status).toBe(303)
    expect((await send('/gate/bookings', { ...form, currency: 'EURO' })).status).toBe(400)
  })

  test('stay over a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const first = await startTestSandbox({ dataDir })
    await post(first, '/gate/bookings', { type: 'sale', amount: 100, currency: 'JPY', payment_id: 'x' })
    await first.close()
    const second = await startTestSandbox({ dataDir })
    expect(await operationsOf(second)).toMatchObject([{ payment_id: 'x', sum_initial: { amount: 100 } }])
  })
})
