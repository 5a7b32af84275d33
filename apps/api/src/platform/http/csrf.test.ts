import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { anOrderBody } from '#testing/orders.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const order = async (headers: Record<string, string>) => {
  const { token } = await aCustomer(shop)
  return shop.call('POST', '/api/v1/orders', { token, headers, body: anOrderBody() })
}

describe('a call that changes something', () => {
  test('needs no header from a client without the cookie', async () => {
    expect((await order({})).status).toBe(201)
  })

  test('is taken from a browser that repeats the cookie in the header', async () => {
    expect((await order({ cookie: 'XSRF-TOKEN=secret', 'x-xsrf-token': 'secret' })).status).toBe(201)
  })

  test.each([
    ['no header', {}],
    ['an empty header', { 'x-xsrf-token': '' }],
    ['another header', { 'x-xsrf-token': 'secret2' }],
    ['a header of the same length', { 'x-xsrf-token': 'secreT' }],
  ])('is refused from a browser with the cookie and %s', async (_, headers) => {
    expectProblem(await order({ cookie: 'a=b; XSRF-TOKEN=secret', ...(headers as object) }), 403)
  })

  test('is refused from a browser whose cookie is empty', async () => {
    expectProblem(await order({ cookie: 'XSRF-TOKEN=', 'x-xsrf-token': 'secret' }), 403)
  })

  test('is refused before anything is changed', async () => {
    const { token } = await aCustomer(shop)
    const headers = { cookie: 'XSRF-TOKEN=secret' }
    await shop.call('POST', '/api/v1/orders', { token, headers, body: anOrderBody() })
    expectProblem(await shop.call('POST', '/api/v1/user/logout', { token, headers }), 403)
    expect((await shop.call('GET', '/api/v1/orders', { token })).body).toEqual([])
  })
})

test('a call that only reads needs no header', async () => {
  const { token } = await aCustomer(shop)
  const headers = { cookie: 'XSRF-TOKEN=secret' }
  expect((await shop.call('GET', '/api/v1/user/profile', { token, headers })).status).toBe(200)
})
