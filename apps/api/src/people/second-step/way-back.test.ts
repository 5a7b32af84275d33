import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { aCustomer, PASSWORD } from '#testing/customers.ts'
import { hurry, queueIsEmpty, waitingJobs } from '#testing/jobs.ts'
import {
  aDeadPasskey,
  aGuarded,
  ageFactors,
  answer,
  aTicket,
  codeOf,
  eventsOf,
  type Guarded,
} from '#testing/second-step.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()
const DAY_MS = 86_400_000
const AT_ONCE = 'will be turned off in 7 days'

const ask = (ticket: unknown) => shop.call('POST', '/api/v1/user/login/way-back', { body: { ticket } })
const stop = (token: unknown) => shop.call('POST', '/api/v1/user/login/way-back/stop', { body: { token } })
const keep = (token: string) => shop.call('DELETE', '/api/v1/user/second-step/way-back', { token })
const security = async (token: string) => (await shop.call('GET', '/api/v1/user/security', { token })).body
const logIn = (email: string, password = PASSWORD) =>
  shop.call('POST', '/api/v1/user/login', { body: { username: email, password } })

/** The second step of a guarded account was said to be lost, with its password. */
const aLoss = async (): Promise<Guarded & { until: string }> => {
  const guarded = await aGuarded(shop)
  const { status, body } = await ask(await aTicket(shop, guarded))
  expect(status).toBe(200)
  return { ...guarded, until: body.until }
}

const linkOf = async ({ email }: Guarded, subject = AT_ONCE): Promise<string> =>
  tokenIn(await mailbox(shop).latest(email, subject), '/second-step/')

/** As if so many days had passed since it was asked. */
const waitDays = async (customerId: string, days: number) => {
  const row = await shop.db
    .selectFrom('customers')
    .select('second_step_ends_at')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  await shop.db
    .updateTable('customers')
    .set({ second_step_ends_at: new Date(Number(row.second_step_ends_at) - days * DAY_MS) })
    .where('id', '=', customerId)
    .execute()
}

describe('POST /api/v1/user/login/way-back', () => {
  test('ends the second step in seven days, says so by mail at once, and opens nothing yet', async () => {
    const lost = await aLoss()
    expect(Math.round((Date.parse(lost.until) - Date.now()) / 60_000)).toBe(7 * 24 * 60)
    const mail = await mailbox(shop).latest(lost.email, AT_ONCE)
    expect(mail.text).toContain(`${shop.url}/second-step/`)
    expect((await logIn(lost.email)).body.secondStep.endsAt).toBe(lost.until)
    expect((await security(lost.token)).secondStepEndsAt).toBe(lost.until)
    expect(await eventsOf(shop, lost.id)).toContain('way-back-asked')
  })

  test('asked again neither comes sooner nor later, nor mails again', async () => {
    const lost = await aLoss()
    await linkOf(lost)
    await waitDays(lost.id, 3)
    const first = (await security(lost.token)).secondStepEndsAt
    const replies = await Promise.all([1, 2, 3].map(async () => ask(await aTicket(shop, lost))))
    expect(replies.map(({ body }) => body.until)).toEqual([first, first, first])
    await until(async () => !(await waitingJobs(shop)).includes('mail-way-back'))
    expect(await mailbox(shop).list(lost.email, AT_ONCE)).toHaveLength(1)
  })

  test('asked twice at once begins one wait', async () => {
    const guarded = await aGuarded(shop)
    const ticket = await aTicket(shop, guarded)
    const replies = await Promise.all([ask(ticket), ask(ticket)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect((await eventsOf(shop, guarded.id)).filter((kind) => kind === 'way-back-asked')).toHaveLength(1)
  })

  test('takes a ticket of the second step only', async () => {
    const guarded = await aGuarded(shop)
    for (const ticket of ['a'.repeat(43), guarded.token, guarded.secret])
      expect(expectProblem(await ask(ticket), 401).body.code).toBe('second-step-over')
    for (const ticket of ['', null, 'x'.repeat(201)]) expectProblem(await ask(ticket), 422)
    const used = await aTicket(shop, guarded)
    await answer(shop, used, { code: codeOf(guarded.secret) })
    expectProblem(await ask(used), 401)
    expect((await security(guarded.token)).secondStepEndsAt).toBeNull()
  })

  test('is begun five times a day at most, so that it cannot flood the mailbox', async () => {
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const guarded = await aGuarded(limited)
    const ticket = await aTicket(limited, guarded)
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      const { status } = await limited.call('POST', '/api/v1/user/login/way-back', { body: { ticket } })
      statuses.push(status)
      await limited.call('DELETE', '/api/v1/user/second-step/way-back', { token: guarded.token })
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})

describe('a wait is stopped', () => {
  test('by the link of the mail, once', async () => {
    const lost = await aLoss()
    const link = await linkOf(lost)
    expect((await stop(link)).status).toBe(200)
    expect((await security(lost.token)).secondStepEndsAt).toBeNull()
    expect((await eventsOf(shop, lost.id)).at(-1)).toBe('way-back-stopped')
    expectProblem(await stop(link), 400)
  })

  test('and the link does not stop the next one', async () => {
    const lost = await aLoss()
    await linkOf(lost)
    // A wait is named by its end, to the second: the next one ends at another.
    await waitDays(lost.id, 6)
    await hurry(shop, 'mail-way-back-soon')
    const link = await linkOf(lost, 'will be turned off tomorrow')
    expect((await stop(link)).status).toBe(200)
    await ask(await aTicket(shop, lost))
    await until(async () => (await mailbox(shop).list(lost.email, AT_ONCE)).length === 2)
    expectProblem(await stop(link), 400)
    expect((await security(lost.token)).secondStepEndsAt).not.toBeNull()
  })

  test('by a log-in with a code', async () => {
    const lost = await aLoss()
    await answer(shop, await aTicket(shop, lost), { code: codeOf(lost.secret) })
    expect((await security(lost.token)).secondStepEndsAt).toBeNull()
    expect(await eventsOf(shop, lost.id)).toContain('way-back-stopped')
  })

  test('by its owner in the profile', async () => {
    const [lost, other] = [await aLoss(), await aLoss()]
    expect((await keep(lost.token)).status).toBe(200)
    expect((await security(lost.token)).secondStepEndsAt).toBeNull()
    expect((await security(other.token)).secondStepEndsAt).not.toBeNull()
  })

  test('with the second step, when that is turned off', async () => {
    const lost = await aLoss()
    const link = await linkOf(lost)
    await shop.call('PUT', '/api/v1/user/second-step', { token: lost.token, body: { isOn: false } })
    expect(await security(lost.token)).toMatchObject({ secondStepAt: null, secondStepEndsAt: null })
    expectProblem(await stop(link), 400)
  })

  test('not by a wrong code, nor by an unknown link', async () => {
    const lost = await aLoss()
    await answer(shop, await aTicket(shop, lost), { code: '000000' })
    expectProblem(await stop('a'.repeat(43)), 400)
    expect((await security(lost.token)).secondStepEndsAt).toBe(lost.until)
  })

  test('where there is none, nothing is said to have been stopped', async () => {
    const { id, token } = await aCustomer(shop)
    expect((await keep(token)).status).toBe(200)
    expect(await eventsOf(shop, id)).toEqual([])
  })
})

test('a day before the end a mail tells of it, with a link that stops it', async () => {
  const lost = await aLoss()
  await waitDays(lost.id, 6)
  await hurry(shop, 'mail-way-back-soon')
  expect((await stop(await linkOf(lost, 'will be turned off tomorrow'))).status).toBe(200)
})

test('of a wait that was stopped no further mail tells', async () => {
  const lost = await aLoss()
  await linkOf(lost)
  await keep(lost.token)
  await hurry(shop, 'mail-way-back-soon')
  await queueIsEmpty(shop)
  expect(await mailbox(shop).list(lost.email, 'tomorrow')).toEqual([])
})

describe('when the seven days are over', () => {
  const expectEnded = async (lost: Guarded) => {
    expect((await shop.call('GET', '/api/v1/user/profile', { token: lost.token })).status).toBe(401)
    const { body } = await logIn(lost.email)
    const now = await security(body.access_token)
    expect(now).toMatchObject({ secondStepAt: null, secondStepEndsAt: null, totpAt: null, recoveryCodes: 0 })
    expect(now.passkeys).toHaveLength(1)
    const mail = await mailbox(shop).latest(lost.email, 'is off')
    expect(mail.text).toContain('/forgot')
    expect((await eventsOf(shop, lost.id)).filter((kind) => kind === 'way-back-ended')).toHaveLength(1)
  }

  test('the password opens the account, app and codes are gone, passkeys stay, and every session ends', async () => {
    const lost = await aLoss()
    await aDeadPasskey(shop, lost.id)
    await waitDays(lost.id, 7)
    const entered = await Promise.all([logIn(lost.email), logIn(lost.email)])
    for (const { body } of entered) expect(body.access_token).toBeTruthy()
    await expectEnded(lost)
  })

  test('so it is without a log-in', async () => {
    const lost = await aLoss()
    await aDeadPasskey(shop, lost.id)
    await waitDays(lost.id, 7)
    await hurry(shop, 'tidy-up')
    await until(
      async () => (await shop.call('GET', '/api/v1/user/profile', { token: lost.token })).status === 401,
    )
    await expectEnded(lost)
  })

  test('the link stops it no more', async () => {
    const lost = await aLoss()
    const link = await linkOf(lost)
    await waitDays(lost.id, 7)
    expectProblem(await stop(link), 400)
  })

  test('a moment before, it is not', async () => {
    const lost = await aLoss()
    await waitDays(lost.id, 6.999)
    await hurry(shop, 'tidy-up')
    expect((await logIn(lost.email)).body.secondStep).toBeTruthy()
    expect((await security(lost.token)).totpAt).not.toBeNull()
  })
})

test('who has only the mailbox has to wait: a new password turns off no second step that is older than seven days', async () => {
  const guarded = await aGuarded(shop)
  await ageFactors(shop, guarded.id)
  await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: guarded.email } })
  const mail = await mailbox(shop).latest(guarded.email, 'Choose a new password')
  const password = 'a robin on the gate 17'
  await shop.call('POST', '/api/v1/user/password/reset', {
    body: { token: tokenIn(mail, '/reset/'), password },
  })
  const ticket = await aTicket(shop, guarded, {}, password)
  const { body } = await ask(ticket)
  expect(Date.parse(body.until) - Date.now()).toBeGreaterThan(6.9 * DAY_MS)
  expect((await logIn(guarded.email, password)).body.secondStep).toBeTruthy()
})
