import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer, aSession, PASSWORD } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { aDeadPasskey, ageFactors } from '#testing/second-step.ts'
import { openSecondFront, shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()
const NEW = 'a robin on the gate 17'

const change = (token: string | undefined, body: unknown) =>
  shop.call('POST', '/api/v1/user/password', { token, body })
const logIn = (username: string, password: string) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password } })
const profile = (token: string) => shop.call('GET', '/api/v1/user/profile', { token })

describe('POST /api/v1/user/password', () => {
  test('lets the customer in with the new password only, and says so by mail', async () => {
    const { token, email } = await aCustomer(shop)
    expect((await change(token, { password: PASSWORD, newPassword: NEW })).status).toBe(200)
    expectProblem(await logIn(email, PASSWORD), 401)
    expect((await logIn(email, NEW)).status).toBe(200)
    expect((await mailbox(shop).latest(email, 'was changed')).text).toContain('other device was logged out')
  })

  test('leaves what was added to log in with, and names in the mail what is new of it', async () => {
    const { id, token, email } = await aCustomer(shop)
    const mailed = async (password: string, newPassword: string) => {
      await change(token, { password, newPassword })
      await queueIsEmpty(shop)
      return (await mailbox(shop).latest(email, 'was changed')).text
    }
    await aDeadPasskey(shop, id)
    await ageFactors(shop, id)
    expect(await mailed(PASSWORD, NEW)).not.toContain('a passkey')
    await aDeadPasskey(shop, id)
    const text = await mailed(NEW, `${NEW} again`)
    expect(text.match(/a passkey on \d\d\/\d\d\/\d{4}/g)).toHaveLength(1)
    expect(text).toContain('/profile/security')
    expect((await shop.call('GET', '/api/v1/user/security', { token })).body.passkeys).toHaveLength(2)
  })

  test('ends every other session, in every process, and leaves this one and those of others', async () => {
    const [ada, eve] = await Promise.all([aCustomer(shop), aCustomer(shop)])
    const other = await aSession(shop, ada.id)
    const second = await openSecondFront(shop)
    const seen = async (token: string) => (await second.call('GET', '/api/v1/user/profile', { token })).status
    expect(await seen(other)).toBe(200)
    await change(ada.token, { password: PASSWORD, newPassword: NEW })
    expectProblem(await profile(other), 401)
    await expect.poll(() => seen(other)).toBe(401)
    expect([(await profile(ada.token)).status, (await profile(eve.token)).status]).toEqual([200, 200])
  })

  test('refuses a wrong old password as a field, so that the session goes on', async () => {
    const { token, email } = await aCustomer(shop)
    const reply = expectProblem(await change(token, { password: 'not the password', newPassword: NEW }), 422)
    expect(messageFor(reply, 'password')).toBe('The old password is wrong')
    expect((await profile(token)).status).toBe(200)
    expect((await logIn(email, PASSWORD)).status).toBe(200)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(email, 'password')).toEqual([])
  })

  test.each([
    ['password', '', 'Enter your old password'],
    ['password', undefined, 'Enter your old password'],
    ['newPassword', 'short', 'The password cannot be shorter than 8 characters'],
    ['newPassword', undefined, 'The password cannot be shorter than 8 characters'],
    ['newPassword', 'a'.repeat(129), 'The password cannot be longer than 128 characters'],
    ['newPassword', 'password1', 'This password is too common. Choose one that is harder to guess'],
  ])('refuses %s %j: %s', async (field, value, message) => {
    const { token } = await aCustomer(shop)
    const body = { password: PASSWORD, newPassword: NEW, [field]: value }
    expect(messageFor(expectProblem(await change(token, body), 422), field)).toBe(message)
  })

  test('lets one of two changes win that start from the same old password at once', async () => {
    const { token, email } = await aCustomer(shop)
    const wanted = ['the first of two 12', 'the second of two 12']
    const replies = await Promise.all(
      wanted.map((newPassword) => change(token, { password: PASSWORD, newPassword })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
    const winner = wanted[replies.findIndex(({ status }) => status === 200)] ?? ''
    expect((await logIn(email, winner)).status).toBe(200)
  })

  test('makes links useless that were mailed to choose a new password', async () => {
    const { token, email } = await aCustomer(shop)
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
    const mail = await mailbox(shop).latest(email, 'Choose a new password')
    const link = mail.text.match(/\/reset\/(\S+)/)?.[1]
    await change(token, { password: PASSWORD, newPassword: NEW })
    const body = { token: link, password: 'yet another one 33' }
    expectProblem(await shop.call('POST', '/api/v1/user/password/reset', { body }), 400)
  })

  test('is refused to whoever is signed out', async () => {
    expectProblem(await change(undefined, { password: PASSWORD, newPassword: NEW }), 401)
  })

  test('lets nobody try passwords without end, here and where the account is deleted', async () => {
    const shop = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const guess = (token: string) =>
      shop.call('POST', '/api/v1/user/password', {
        token,
        body: { password: 'a guess', newPassword: NEW },
      })
    for (let tries = 0; tries < 10; tries++) expectProblem(await guess(ada.token), 422)
    expectProblem(await guess(ada.token), 429)
    const body = { email: ada.email, password: 'a guess' }
    expectProblem(await shop.call('DELETE', '/api/v1/user', { token: ada.token, body }), 429)
    expectProblem(await guess(eve.token), 422)
    // Whoever guessed had stolen a session; the owner's own is not stopped by it.
    const owners = await aSession(shop, ada.id)
    expectProblem(await guess(owners), 422)
    const right = { password: PASSWORD, newPassword: NEW }
    expect((await shop.call('POST', '/api/v1/user/password', { token: owners, body: right })).status).toBe(
      200,
    )
  })
})
