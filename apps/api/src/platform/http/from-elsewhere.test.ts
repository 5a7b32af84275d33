import { request } from 'node:http'
import * as endpoints from '@hedgerow/contract/endpoints'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** Returns the status. By hand: `fetch` sets these headers by itself. */
const statusOf = (method: string, path: string, given: Record<string, string>, token = '') =>
  new Promise<number | undefined>((done, failed) => {
    const headers = { ...given, ...(token ? { authorization: `Bearer ${token}` } : {}) }
    request(new URL(path, shop.url), { method, headers }, (response) => {
      response.resume()
      done(response.statusCode)
    })
      .on('error', failed)
      .end()
  })

/** What a browser says of a call by a script of a page of ours. */
const OURS = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
const ELSEWHERE = [
  ['a script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  ['a picture on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ['a neighbour below the same domain', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ['a link on a page of ours', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }],
  ['a picture on a page of ours', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
] as const

const WRITES = new Set(['POST', 'PUT', 'DELETE'])

describe('the calls of the contract', () => {
  const all = Object.entries(endpoints).flatMap(([name, value]) =>
    typeof value === 'object' && 'url' in value ? [[name, value] as const] : [],
  )

  /** They read. What an agent has seen it says with the question for more, and no one else can. */
  const READ = all.filter(([, { method }]) => method === 'GET').map(([name]) => name)

  test('that change something do so by a method that says so', () => {
    expect(all.length).toBeGreaterThan(60)
    for (const [, { method }] of all) expect(WRITES.has(method) || method === 'GET').toBe(true)
    expect(READ.sort()).toEqual([
      'agentArchive',
      'agentChanges',
      'checkAddress',
      'exportAccount',
      'followOldConfirmLink',
      'getAnnouncement',
      'getCommissionDocument',
      'getCreditNote',
      'getEmailChange',
      'getOrder',
      'getOrderInvoice',
      'getPartnerBilling',
      'getPartnership',
      'getPrices',
      'getProfile',
      'getSecurity',
      'getStatement',
      'getStatus',
      'listBanks',
      'listConnections',
      'listConversations',
      'listItems',
      'listLayers',
      'listLocations',
      'listOpenLocations',
      'listOrders',
      'listSecurityEvents',
      'listSessions',
      'listWithdrawals',
      'paymentHistory',
      'paymentMethods',
      'paymentStatus',
      'previewCancellation',
      'readConnectionFile',
    ])
  })

  const FOR_SCRIPTS = all.filter(
    ([, { access, schema }]) => access !== 'gateway' && access !== 'issuer' && !(303 in schema.response),
  )

  test.each(FOR_SCRIPTS)('are refused when a link or a picture elsewhere leads to %s', async (_, call) => {
    const path = call.url.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')
    for (const [, headers] of ELSEWHERE.slice(0, 4))
      expect(await statusOf(call.method, path, headers)).toBe(403)
  })
})

describe.each([
  ['GET', '/api/v1/user/data'],
  ['GET', '/api/v1/user/profile'],
] as const)('%s %s of somebody who is logged in', (method, path) => {
  test.each(ELSEWHERE)('is refused to %s', async (_, headers) => {
    const { token } = await aCustomer(shop)
    expect(await statusOf(method, path, headers, token)).toBe(403)
  })

  test.each([
    ['a script of a page of ours', OURS],
    ['a program', {}],
    ['a browser of before 2020', { accept: '*/*' }],
  ])('is answered to %s', async (_, headers) => {
    const { token } = await aCustomer(shop)
    expect(await statusOf(method, path, headers as Record<string, string>, token)).toBe(200)
  })
})

test('what is public is shown to who types its address, and not to another site', async () => {
  const typed = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }
  const linked = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  expect(await statusOf('GET', '/api/v1/shop/items', typed)).toBe(200)
  expect(await statusOf('GET', '/api/v1/shop/items', linked)).toBe(403)
  // Links that are followed from mails and other sites are links.
  const link = `/api/v1/user/confirm/${'0'.repeat(43)}`
  expect(await statusOf('GET', link, linked)).toBe(303)
  expect(await statusOf('GET', '/.well-known/security.txt', linked)).toBe(200)
})

test('no answer lets another origin read it', async () => {
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }
  for (const [method, path] of [
    ['GET', '/api/v1/shop/items'],
    ['OPTIONS', '/api/v1/user/login'],
  ] as const) {
    const reply = await shop.call(method, path, { headers })
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
  }
})
