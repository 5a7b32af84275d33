import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const save = (token: string | undefined, body: unknown) => shop.call('PUT', '/api/v1/user', { token, body })
const profileOf = async (token: string) => (await shop.call('GET', '/api/v1/user/profile', { token })).body

const FIELDS = {
  name: 'Ada',
  firstName: 'Augusta Ada',
  lastName: 'King-Noel',
  phone: '+44 (20) 7946-0000',
  addressCountry: 'United Kingdom',
  addressCity: 'London',
  addressZip: 'SW1Y 4JU',
  addressString: '12 St James’s Square, flat 3/1',
}

describe('PUT /api/v1/user', () => {
  test('answers the profile with what was saved, and keeps it', async () => {
    const { token } = await aCustomer(shop)
    const { status, body } = await save(token, FIELDS)
    expect(status).toBe(200)
    expect(body).toMatchObject(FIELDS)
    expect(await profileOf(token)).toEqual(body)
  })

  test('takes the whole profile back, and leaves email, promocode and connections as they are', async () => {
    const { customer } = await aPurchase(shop)
    const before = await profileOf(customer.token)
    const { status } = await save(customer.token, {
      ...before,
      ...FIELDS,
      _id: '00000000-0000-4000-8000-000000000000',
      email: 'eve@example.org',
      promocode: 'MINE',
      connections: [],
      password_hash: 'x',
      confirmed_at: null,
    })
    expect(status).toBe(200)
    expect(await profileOf(customer.token)).toEqual({ ...before, ...FIELDS, version: before.version + 1 })
  })

  test('leaves a field as it is that is not sent', async () => {
    const { token } = await aCustomer(shop)
    await save(token, FIELDS)
    await save(token, { phone: '' })
    expect(await profileOf(token)).toMatchObject({ ...FIELDS, phone: '' })
  })

  test('trims, and composes what a keyboard has sent in parts', async () => {
    const { token } = await aCustomer(shop)
    const { body } = await save(token, { firstName: '  Zoe\u0308 ', name: ' Zoe\u0308 ' })
    expect([body.firstName, body.name]).toEqual(['Zo\u00eb', 'Zo\u00eb'])
  })

  test.each([
    ['name', '', 'The name should not be shorter than 2 letters'],
    ['name', ' A ', 'The name should not be shorter than 2 letters'],
    ['name', 'a'.repeat(101), 'The name cannot be longer than 100 characters'],
    ['name', 'Ada\u202Egro.live', 'The name contains characters that cannot be used'],
    ['name', null, 'The name should not be shorter than 2 letters'],
    ['firstName', 'a'.repeat(101), 'Use 100 characters at most'],
    ['lastName', 'a'.repeat(101), 'Use 100 characters at most'],
    ['phone', 'call me', 'Use digits, spaces and + - . / ( ) only'],
    ['phone', '1'.repeat(33), 'Use 32 characters at most'],
    ['addressCountry', 'a'.repeat(101), 'Use 100 characters at most'],
    ['addressCity', 'a'.repeat(101), 'Use 100 characters at most'],
    ['addressZip', 'a'.repeat(21), 'Use 20 characters at most'],
    ['addressString', 'a'.repeat(201), 'Use 200 characters at most'],
    ['addressString', 'a\u0000b', 'This contains characters that cannot be used'],
    ['lastName', 7, 'This contains characters that cannot be used'],
  ])('refuses %s %j: %s', async (field, value, message) => {
    const { token } = await aCustomer(shop)
    const before = await profileOf(token)
    const reply = expectProblem(await save(token, { ...FIELDS, [field]: value }), 422)
    expect(messageFor(reply, field)).toBe(message)
    expect(await profileOf(token)).toEqual(before)
  })

  test.each([[0], [-1], [1.5], ['1'], [2 ** 31], [1e300]])('refuses %j for a version', async (version) => {
    const { token } = await aCustomer(shop)
    expectProblem(await save(token, { phone: '1', version }), 422)
  })

  test('refuses a body that is none, and one that is too large', async () => {
    const { token } = await aCustomer(shop)
    expectProblem(await save(token, undefined), 422)
    expectProblem(await save(token, []), 422)
    expectProblem(await save(token, { firstName: 'a'.repeat(70_000) }), 413)
  })

  test('never lets an older save overwrite a newer one', async () => {
    const { token } = await aCustomer(shop)
    const { version } = await profileOf(token)
    const newer = await save(token, { phone: '222', version })
    expect([newer.status, newer.body.version]).toEqual([200, version + 1])
    const older = expectProblem(await save(token, { phone: '111', version }), 409)
    expect(older.body.detail).toMatch(/changed elsewhere/)
    expect(await profileOf(token)).toEqual(newer.body)
  })

  test('lets one of many saves win that start from the same version at once', async () => {
    const { token } = await aCustomer(shop)
    const { version } = await profileOf(token)
    const phones = ['1', '2', '3', '4', '5', '6']
    const replies = await Promise.all(phones.map((phone) => save(token, { phone, version })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    const winner = replies.find(({ status }) => status === 200)
    expect(await profileOf(token)).toEqual(winner?.body)
  })

  test('takes a save without a version as it comes', async () => {
    const { token } = await aCustomer(shop)
    await save(token, { phone: '1' })
    expect((await save(token, { phone: '2' })).body.phone).toBe('2')
  })

  test('changes the caller’s account only, and nobody’s without a session', async () => {
    const [ada, eve] = await Promise.all([aCustomer(shop), aCustomer(shop, { name: 'Eve' })])
    await save(eve.token, { ...(await profileOf(ada.token)), phone: '666' })
    expect((await profileOf(ada.token)).phone).toBe('')
    expectProblem(await save(undefined, FIELDS), 401)
  })
})
