import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { createKeyedHash, hashKeyOf } from '#platform/crypto/keyed-hash.ts'
import { createRateCounter } from '#platform/http/limits/rate-counter.ts'
import { aCustomer, PASSWORD } from '#testing/customers.ts'
import { BEHIND_PROXY, countUntilRefused, expectTooMany, from } from '#testing/limits.ts'
import { type Front, startTestShop } from '#testing/test-shop.ts'

describe('a stranger who guesses at an account', () => {
  const guess = (shop: Front, email: string, address: string, password = 'not the password') =>
    shop.call('POST', '/api/v1/user/login', {
      body: { username: email, password },
      headers: from(address),
    })

  test('has 10 log-ins from an address, and its owner is let in from another', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const stranger = '203.0.113.7'
    expect(await countUntilRefused(20, () => guess(shop, ada.email, stranger))).toBe(10)
    expectTooMany(await guess(shop, ada.email.toUpperCase(), stranger, PASSWORD))
    expect((await guess(shop, eve.email, stranger, PASSWORD)).status).toBe(200)
    expect((await guess(shop, ada.email, '198.51.100.9', PASSWORD)).status).toBe(200)
  })

  test('at tags of a mailbox keeps no account at another tag of it from logging in', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    for (let i = 0; i < 11; i++) await guess(shop, email.replace('@', `+${i}@`), '203.0.113.7')
    expect((await guess(shop, email, '203.0.113.7', PASSWORD)).status).toBe(200)
  })

  test('gains nothing by the other addresses of one IPv6 network', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    let i = 0
    const count = await countUntilRefused(20, () => guess(shop, email, `2001:db8:1:2::${(++i).toString(16)}`))
    expect(count).toBe(10)
    expect((await guess(shop, email, '2001:db8:1:100::1', PASSWORD)).status).toBe(200)
  })

  test('with very many addresses stops everyone but the browsers that have logged in before', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    const login = await guess(shop, email, '198.51.100.9', PASSWORD)
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(cookie).toMatch(/^KNOWN-BROWSER=/)
    // The ceiling of the account alone, without the work of 300 guesses.
    const counter = createRateCounter(shop.db, 1, createKeyedHash(hashKeyOf(shop.settings.keyEncryptionKey)))
    const ofAccount = { name: 'POST /api/v1/user/login 1', of: email, most: 300, seconds: 3600 }
    for (let i = 0; i < 298; i++) await counter.count(ofAccount)
    expectProblem(await guess(shop, email, '203.0.113.1'), 401)
    expectTooMany(await guess(shop, email, '203.0.113.2'))
    expectTooMany(await guess(shop, email, '203.0.113.3', PASSWORD))
    const headers = from('203.0.113.2', cookie)
    const body = { username: email, password: PASSWORD }
    expect((await shop.call('POST', '/api/v1/user/login', { body, headers })).status).toBe(200)
  })

  test('cannot use the cookie of a browser for another account, nor make one, nor guess on with it for ever', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const login = await guess(shop, eve.email, '203.0.113.7', PASSWORD)
    const ofEve = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const cookies = [ofEve, `KNOWN-BROWSER=${'a'.repeat(22)}.${'b'.repeat(43)}`, 'KNOWN-BROWSER=x']
    let i = 0
    const guessAt = (email: string, cookie: string) =>
      shop.call('POST', '/api/v1/user/login', {
        body: { username: email, password: 'not the password' },
        headers: from('203.0.113.7', cookie),
      })
    expect(await countUntilRefused(20, () => guessAt(ada.email, cookies[i++ % 3] ?? ''))).toBe(10)
    expect(await countUntilRefused(20, () => guessAt(eve.email, ofEve))).toBe(10)
  })
})

test('the browsers of one account together have no more log-ins than an address', async () => {
  const shop = await startTestShop(BEHIND_PROXY)
  const { email } = await aCustomer(shop)
  const logIn = (headers: Record<string, string>, password = PASSWORD) =>
    shop.call('POST', '/api/v1/user/login', { body: { username: email, password }, headers })
  const cookies: string[] = []
  for (let n = 0; n < 7; n++)
    cookies.push((await logIn(from(`198.51.100.${n}`))).headers.get('set-cookie')?.split(';')[0] ?? '')
  let i = 0
  const next = () => logIn(from('203.0.113.7', cookies[i++ % 7]), 'not the password')
  expect(await countUntilRefused(70, next)).toBe(60)
})

describe('a browser that has logged in before', () => {
  const knownTo = async (shop: Front, email: string, password = PASSWORD) => {
    const body = { username: email, password }
    const { headers } = await shop.call('POST', '/api/v1/user/login', { body, headers: from('192.0.2.1') })
    return headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const enter = (shop: Front, email: string, cookie: string, password = PASSWORD) =>
    shop.call('POST', '/api/v1/user/login', {
      body: { username: email, password },
      headers: from('203.0.113.7', cookie),
    })

  test('is let in from an address that others have used up', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    const cookie = await knownTo(shop, email)
    const neighbour = () =>
      shop.call('POST', '/api/v1/user/login', { body: {}, headers: from('203.0.113.7') })
    expect(await countUntilRefused(70, neighbour)).toBe(60)
    expect((await enter(shop, email, cookie)).status).toBe(200)
    expectTooMany(await enter(shop, email, `KNOWN-BROWSER=${'a'.repeat(22)}.${'b'.repeat(43)}`))
  })

  test('is one browser, however often there is a log-in there', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    const cookie = await knownTo(shop, email)
    const again = (await enter(shop, email, cookie)).headers.get('set-cookie') ?? ''
    expect(again.split(';')[0]).toBe(cookie)
  })

  test('is a stranger’s once the password is another', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email, token } = await aCustomer(shop)
    const [stolen, own] = [await knownTo(shop, email), await knownTo(shop, email)]
    const body = { password: PASSWORD, newPassword: 'a robin on the gate' }
    const changed = await shop.call('POST', '/api/v1/user/password', {
      body,
      token,
      headers: from('192.0.2.1', own),
    })
    const renewed = changed.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await countUntilRefused(20, () => enter(shop, email, stolen))).toBe(10)
    expect((await enter(shop, email, renewed, 'a robin on the gate')).status).toBe(200)
  })

  test('is the one in which a password was chosen by the mailed link, while strangers guess', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    const counter = createRateCounter(shop.db, 1, createKeyedHash(hashKeyOf(shop.settings.keyEncryptionKey)))
    const ofAccount = { name: 'POST /api/v1/user/login 1', of: email, most: 300, seconds: 3600 }
    for (let i = 0; i < 301; i++) await counter.count(ofAccount)
    expectTooMany(await enter(shop, email, 'x=y'))
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
    const token = tokenIn(await mailbox(shop).latest(email, 'new password'), '/reset/')
    const body = { token, password: 'a robin on the gate' }
    const reset = await shop.call('POST', '/api/v1/user/password/reset', { body })
    const cookie = reset.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await enter(shop, email, cookie, 'a robin on the gate')).status).toBe(200)
  })
})
