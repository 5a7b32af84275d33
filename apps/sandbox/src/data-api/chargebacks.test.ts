import { signatureOf } from '@hedgerow/gate/signature'
import { describe, expect, test } from 'vitest'
import type { Sandbox } from '#app.ts'
import { DEFAULT_SETTINGS } from '#settings.ts'
import {
  booksOf,
  CARDS,
  call,
  type Json,
  openShop,
  sell,
  settled,
  soldAs,
  startTestSandbox,
} from '#testing/merchant.ts'

const { dataToken, secret } = DEFAULT_SETTINGS

const post = async ({ url }: Sandbox, path: string, body: object) => {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: (await reply.json()) as Json }
}

const ask = (sandbox: Sandbox, path: string, question: object, key = secret) => {
  const body: Json = { token: dataToken, ...question }
  return post(sandbox, `/data/v1/${path}`, { ...body, signature: signatureOf(body, key) })
}

const wire = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
const interval = () => ({ from: wire(Date.now() - 60_000), to: wire(Date.now() + 60_000) })

describe('a chargeback', () => {
  test('takes what is left of a card payment, and no refund of it is made any more', async () => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'p1', CARDS.paid)
    const opened = await post(sandbox, '/gate/payments/p1/chargebacks', { reason_code: '13.1', amount: 3000 })
    expect(opened.body).toMatchObject({
      status: 'new',
      stage: 'chargeback',
      amount: 3000,
      reasonCode: '13.1',
    })
    for (const amount of [406, 0, 1.5, 'all'])
      expect((await post(sandbox, '/gate/payments/p1/chargebacks', { amount })).status).toBe(400)
    const refused = await call(sandbox, '/card/refund', 'p1', {
      payment: { amount: 406, currency: 'GBP', description: 'x' },
    })
    expect(refused.status).toBe(400)
    await post(sandbox, `/gate/chargebacks/${opened.body.id}`, { status: 'won' })
    const taken = await call(sandbox, '/card/refund', 'p1', {
      payment: { amount: 406, currency: 'GBP', description: 'x' },
    })
    expect(taken.status).toBe(200)
    expect(await booksOf(sandbox, '/p1')).toMatchObject({ chargebacks: [{ status: 'won' }] })
  })

  test('is on the balance with its fee until the merchant wins it, and again where the bank goes on', async () => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'p1', CARDS.paid)
    const balance = async () => ((await (await fetch(`${sandbox.url}/gate/balances`)).json()) as Json).GBP
    const paid = await balance()
    const opened = await post(sandbox, '/gate/payments/p1/chargebacks', { amount: 3000 })
    const taken = paid - 3000 - 2000
    expect(await balance()).toBe(taken)
    const { id } = opened.body
    await post(sandbox, `/gate/chargebacks/${id}`, { status: 'challenged' })
    expect(await balance()).toBe(taken)
    await post(sandbox, `/gate/chargebacks/${id}`, { status: 'won' })
    await post(sandbox, `/gate/chargebacks/${id}`, { status: 'won' })
    expect(await balance()).toBe(taken + 3000)
    await post(sandbox, `/gate/chargebacks/${id}`, { stage: 'pre_arbitration' })
    await post(sandbox, `/gate/chargebacks/${id}`, { status: 'lost' })
    expect(await balance()).toBe(taken - 2000)
  })

  test('is only of card payments that were paid', async () => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'p2', CARDS.declined)
    expect((await post(sandbox, '/gate/payments/p2/chargebacks', {})).body).toEqual({
      error: 'The payment is not paid',
    })
    expect((await post(sandbox, '/gate/payments/none/chargebacks', {})).status).toBe(404)
    expect((await post(sandbox, '/gate/chargebacks/7', {})).status).toBe(404)
  })

  test('is told by the Data API, page by page, to who has token and signature', async () => {
    const sandbox = await startTestSandbox()
    for (const id of ['a', 'b', 'c']) {
      await soldAs(sandbox, id)
      await post(sandbox, `/gate/payments/${id}/chargebacks`, {})
    }
    const { body } = await ask(sandbox, 'chargeback/list', { interval: interval(), limit: 2, offset: 0 })
    expect(body.total).toBe(3)
    expect(body.chargebacks).toMatchObject([
      { payment_id: 'a', status: 'new', reason_code: '10.4', sum_initial: { amount: 3405, currency: 'GBP' } },
      { payment_id: 'b', chb_completed_at: null },
    ])
    const rest = await ask(sandbox, 'chargeback/list', { interval: interval(), limit: 2, offset: 2 })
    expect(rest.body.chargebacks).toHaveLength(1)
    const one = await ask(sandbox, 'chargeback/get', { chargeback_id: body.chargebacks[0].chargeback_id })
    expect(one.body.chargeback).toEqual(body.chargebacks[0])
    expect((await ask(sandbox, 'chargeback/get', { chargeback_id: '1' })).status).toBe(400)
    expect((await ask(sandbox, 'chargeback/list', { interval: interval() }, 'wrong')).status).toBe(403)
    for (const question of [
      {},
      { interval: { from: 'then', to: 'now' } },
      { interval: interval(), limit: 1001 },
      { interval: interval(), offset: -1 },
    ])
      expect((await ask(sandbox, 'chargeback/list', question)).status).toBe(400)
    const before = { from: '2026-01-01 00:00:00', to: '2026-01-02 00:00:00' }
    expect((await ask(sandbox, 'chargeback/list', { interval: before })).body.chargebacks).toEqual([])
  })

  test('is noticed once, unsigned, beside the address for callbacks, with two names of its own', async () => {
    const sandbox = await startTestSandbox()
    const shop = await openShop(200, 500)
    await sell(sandbox, 'p4', CARDS.paid, shop.url)
    await settled(sandbox, 'p4')
    await shop.received(1)
    const { body } = await post(sandbox, '/gate/payments/p4/chargebacks', {})
    await post(sandbox, `/gate/chargebacks/${body.id}`, { status: 'lost' })
    const sent = await post(sandbox, '/gate/chargebacks/notice', {})
    expect(sent.body.sentTo).toBe(new URL('chargebacks', shop.url).href)
    const [, notice] = await shop.received(2)
    expect(notice.signature).toBeUndefined()
    expect(notice.chargebacks).toMatchObject([
      { payment_id: 'p4', chargeback_status: 'lost', chargeback_finalization_date: expect.any(String) },
    ])
    expect(notice.chargebacks[0].status).toBeUndefined()
    await post(sandbox, '/gate/chargebacks/notice', { kind: 'summary' })
    // It was answered with 500, and is not repeated: the next is the summary.
    const [, , summary] = await shop.received(3)
    expect(summary).toEqual({ type: 'new_chargebacks_summary', project_id: 57123, count: 1 })
  })

  test('is opened and decided on the page of its payment', async () => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'p5')
    const pageOf = async () => (await fetch(`${sandbox.url}/gate/p5`)).text()
    expect(await pageOf()).toContain('Charge all of it back')
    const press = (path: string, fields: Record<string, string>) =>
      fetch(sandbox.url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
    expect(
      (await press('/gate/payments/p5/chargebacks', { reason_code: '10.4' })).headers.get('location'),
    ).toBe('/gate/p5')
    const page = await pageOf()
    expect(page).toContain('Merchant loses')
    const id = /gate\/chargebacks\/(\d+)/.exec(page)?.[1]
    await press(`/gate/chargebacks/${id}`, { status: 'won' })
    expect(await pageOf()).toContain('Bank goes on')
    await press(`/gate/chargebacks/${id}`, { stage: 'pre_arbitration' })
    expect(await pageOf()).toContain('pre arbitration')
  })
})
