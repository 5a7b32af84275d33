import { describe, expect, test } from 'vitest'
import {
  aSale,
  CARDS,
  call,
  type Json,
  PATIENCE,
  projectId,
  sell,
  send,
  soldAs,
  startTestSandbox,
} from '#testing/merchant.ts'

const without = (name: string): Json => {
  const [outer = '', inner = ''] = name.split('.')
  const body = aSale()
  delete body[outer][inner]
  return body
}

const withValue = (name: string, value: unknown): Json => {
  const [outer = '', inner = ''] = name.split('.')
  const body = aSale()
  body[outer][inner] = value
  return body
}

describe('POST /v2/payment/card/sale', () => {
  test('accepts a sale and says by which names it goes on', async () => {
    const sandbox = await startTestSandbox()
    const { status, body } = await sell(sandbox, 'ord_1')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'success',
      request_id: expect.any(String),
      project_id: projectId,
      payment_id: 'ord_1',
    })
  })

  test('refuses a body that is not JSON', async () => {
    const { status, body } = await send(await startTestSandbox(), '/card/sale', '{"general":')
    expect([status, body.code]).toEqual([422, '2003'])
  })

  test('refuses a wrong signature', async () => {
    const { status, body } = await call(await startTestSandbox(), '/card/sale', 'ord_1', aSale(), 'guessed')
    expect([status, body.status, body.code]).toEqual([400, 'error', '3261'])
  })

  test('refuses an empty signature', async () => {
    const general = { project_id: projectId, payment_id: 'ord_1', signature: '' }
    const { status, body } = await send(await startTestSandbox(), '/card/sale', JSON.stringify({ general }))
    expect([status, body.code]).toEqual([400, '3262'])
  })

  test('does not know another project', async () => {
    const { status } = await call(await startTestSandbox(), '/card/sale', 'ord_1', {
      general: { project_id: 1 },
    })
    expect(status).toBe(404)
  })

  test.each(['card.cvv', 'customer.id', 'customer.ip_address', 'payment.amount', 'return_url.decline'])(
    'names %s when it is missing',
    async (name) => {
      const { status, body } = await call(await startTestSandbox(), '/card/sale', 'ord_1', without(name))
      expect([status, body.code]).toEqual([400, '2004'])
      expect(body.errors).toEqual([expect.objectContaining({ code: '2004', field: name })])
    },
  )

  test.each([
    ['payment.amount', '3405'],
    ['payment.amount', 0],
    ['card.year', 35],
    ['card.year', 2021],
    ['card.month', '12'],
    ['card.cvv', 987],
    ['customer.ip_address', 'localhost'],
    ['return_url.success', 'javascript:alert(1)'],
  ])('refuses %s that is %j', async (name, value) => {
    const { status, body } = await call(
      await startTestSandbox(),
      '/card/sale',
      'ord_1',
      withValue(name, value),
    )
    expect([status, body.code, body.errors[0].field]).toEqual([400, '502', name])
  })

  test('refuses an id that a payment already has', async () => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'ord_1', CARDS.declined)
    const { status, body } = await sell(sandbox, 'ord_1')
    expect([status, body.code]).toEqual([400, '3041'])
  })

  test('takes the id of a payment that never started once more', async () => {
    const sandbox = await startTestSandbox()
    const sale = aSale()
    await call(sandbox, '/card/sale', 'ord_1', { ...sale, payment: { ...sale.payment, currency: 'XTS' } })
    await expect
      .poll(async () => (await call(sandbox, '/status', 'ord_1')).body.payment.status, PATIENCE)
      .toBe('error')
    expect((await soldAs(sandbox, 'ord_1')).payment.status).toBe('success')
  })
})

test('answers 404 in JSON for a call that the gateway does not have', async () => {
  const { status, body } = await call(await startTestSandbox(), '/cash/sale', 'ord_1')
  expect([status, body.status]).toEqual([404, 'error'])
})
