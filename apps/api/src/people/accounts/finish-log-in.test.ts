import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectAlike, expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { hashToken } from '#platform/crypto/tokens.ts'
import { PASSWORD } from '#testing/customers.ts'
import {
  aGuarded,
  ageFactors,
  answer,
  aTicket,
  codeOf,
  eventsOf,
  type Guarded,
  waitAStep,
  wrongCodeOf,
} from '#testing/second-step.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const profile = (token: string) => shop.call('GET', '/api/v1/user/profile', { token })
const over = async (reply: ReturnType<typeof answer>) =>
  expect(expectProblem(await reply, 401).body.code).toBe('second-step-over')

describe('POST /api/v1/user/login of an account with a second step', () => {
  test('starts no session, and says what can answer', async () => {
    const { email, password } = await aGuarded(shop)
    const { status, body } = await shop.call('POST', '/api/v1/user/login', {
      body: { username: email, password },
    })
    expect(status).toBe(200)
    expect(body).toEqual({ secondStep: { ticket: expect.any(String), hasApp: true, endsAt: null } })
  })

  test('tells who does not know the password nothing of it', async () => {
    const { email } = await aGuarded(shop)
    const body = { username: email, password: 'not the password' }
    const refused = expectProblem(await shop.call('POST', '/api/v1/user/login', { body }), 401)
    const nobody = { username: `nobody.${email}`, password: 'not the password' }
    expectAlike(refused, expectProblem(await shop.call('POST', '/api/v1/user/login', { body: nobody }), 401))
  })
})

describe('POST /api/v1/user/login/second-step', () => {
  test('a code of the app starts the session, and ends the one that was sent with it', async () => {
    const guarded = await aGuarded(shop)
    const ticket = await aTicket(shop, guarded)
    const headers = { authorization: `Bearer ${guarded.token}` }
    const { status, body } = await answer(shop, ticket, { code: codeOf(guarded.secret) }, headers)
    expect(status).toBe(200)
    expect(body.profile.email).toBe(guarded.email)
    expect(body).not.toHaveProperty('recoveryCodesLeft')
    expect((await profile(body.access_token)).status).toBe(200)
    expect((await profile(guarded.token)).status).toBe(401)
    expect((await eventsOf(shop, guarded.id)).at(-1)).toBe('new-browser')
  })

  test('a code works once, though the ticket is another', async () => {
    const guarded = await aGuarded(shop)
    const code = codeOf(guarded.secret)
    expect((await answer(shop, await aTicket(shop, guarded), { code })).status).toBe(200)
    const reply = expectProblem(await answer(shop, await aTicket(shop, guarded), { code }), 401)
    expect(reply.body.detail).toMatch(/has been used/)
  })

  test('a code that is older than the last is refused', async () => {
    const guarded = await aGuarded(shop)
    const [now, next] = [codeOf(guarded.secret), codeOf(guarded.secret, 1)]
    expect((await answer(shop, await aTicket(shop, guarded), { code: next })).status).toBe(200)
    expectProblem(await answer(shop, await aTicket(shop, guarded), { code: now }), 401)
  })

  test('of many answers at once one gets in', async () => {
    const guarded = await aGuarded(shop)
    const [one, other] = [await aTicket(shop, guarded), await aTicket(shop, guarded)]
    const code = codeOf(guarded.secret)
    const replies = await Promise.all(
      [one, one, other, other].map((ticket) => answer(shop, ticket, { code })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  test('a recovery code works once, however it is typed, and then says that it was used', async () => {
    const guarded = await aGuarded(shop)
    const code = guarded.recoveryCodes[3]?.toLowerCase().replaceAll('-', ' – ')
    expect((await answer(shop, await aTicket(shop, guarded), { code })).status).toBe(200)
    const again = expectProblem(await answer(shop, await aTicket(shop, guarded), { code }), 401)
    expect(again.body.detail).toMatch(/has been used/)
    expect(await eventsOf(shop, guarded.id)).toEqual(
      expect.arrayContaining(['recovery-code-used', 'new-browser', 'second-step-failed']),
    )
  })

  test('of a recovery code that is used twice at once, one gets in', async () => {
    const guarded = await aGuarded(shop)
    const tickets = [await aTicket(shop, guarded), await aTicket(shop, guarded)]
    const code = guarded.recoveryCodes[0]
    const replies = await Promise.all(tickets.map((ticket) => answer(shop, ticket, { code })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
    const used = (await eventsOf(shop, guarded.id)).filter((kind) => kind === 'recovery-code-used')
    expect(used).toHaveLength(1)
  })

  test('says how many recovery codes are left when they are few', async () => {
    const guarded = await aGuarded(shop)
    const left = async (code: string | undefined) =>
      (await answer(shop, await aTicket(shop, guarded), { code })).body.recoveryCodesLeft
    for (const code of guarded.recoveryCodes.slice(0, 6)) expect(await left(code)).toBeUndefined()
    expect(await left(guarded.recoveryCodes[6])).toBe(3)
    expect(await left(codeOf(guarded.secret))).toBe(3)
  })

  test('the codes of another account open nothing', async () => {
    const [ada, eve] = [await aGuarded(shop), await aGuarded(shop)]
    const ticket = await aTicket(shop, ada)
    expectProblem(await answer(shop, ticket, { code: codeOf(eve.secret) }), 401)
    expectProblem(await answer(shop, ticket, { code: eve.recoveryCodes[0] }), 401)
    expect((await answer(shop, await aTicket(shop, eve), { code: eve.recoveryCodes[0] })).status).toBe(200)
  })

  test('five wrong answers end the ticket, also for a right one', async () => {
    const guarded = await aGuarded(shop)
    const ticket = await aTicket(shop, guarded)
    const wrong = { code: wrongCodeOf(guarded.secret) }
    for (let i = 0; i < 4; i++) {
      const { body } = expectProblem(await answer(shop, ticket, wrong), 401)
      expect(body).not.toHaveProperty('code')
    }
    await over(answer(shop, ticket, wrong))
    await over(answer(shop, ticket, { code: codeOf(guarded.secret) }))
    expect((await answer(shop, await aTicket(shop, guarded), { code: codeOf(guarded.secret) })).status).toBe(
      200,
    )
  })

  test.each([
    ['made up', async () => 'a'.repeat(43)],
    [
      'of ten minutes ago',
      async (ticket: string) => {
        await shop.db
          .updateTable('auth_challenges')
          .set({ expires_at: new Date(Date.now() - 1_000) })
          .where('token_hash', '=', hashToken(ticket))
          .execute()
        return ticket
      },
    ],
    [
      'for something else',
      async (ticket: string) => {
        await shop.db
          .updateTable('auth_challenges')
          .set({ purpose: 'ask-again' })
          .where('token_hash', '=', hashToken(ticket))
          .execute()
        return ticket
      },
    ],
  ])('a ticket that is %s is over', async (_, spoil) => {
    const guarded = await aGuarded(shop)
    const ticket = await spoil(await aTicket(shop, guarded))
    await over(answer(shop, ticket, { code: codeOf(guarded.secret) }))
  })

  test('a new password ends what was begun with the old one', async () => {
    const guarded = await aGuarded(shop)
    const ticket = await aTicket(shop, guarded)
    const { status } = await shop.call('POST', '/api/v1/user/password', {
      token: guarded.token,
      body: { password: PASSWORD, newPassword: 'a robin on the gate 17' },
    })
    expect(status).toBe(200)
    await over(answer(shop, ticket, { code: codeOf(guarded.secret) }))
  })

  test.each([
    ['nothing', {}],
    ['two at once', { code: '123456', passkey: { ticket: 'x', credential: {} } }],
    ['a code that is too long', { code: '1'.repeat(41) }],
    ['a code that is no text', { code: 123456 }],
  ])('refuses %s', async (_, given) => {
    expectProblem(await answer(shop, await aTicket(shop, await aGuarded(shop)), given), 422)
  })

  test('refuses what is too large', async () => {
    expectProblem(await answer(shop, 'x', { code: '1', more: 'x'.repeat(20_000) }), 413)
  })
})

describe('when we ask again who it is', () => {
  const prove = (token: string, body: object) =>
    shop.call('POST', '/api/v1/user/sessions/proof', { token, body })

  test('the password is not enough, and a code is, once', async () => {
    const guarded = await aGuarded(shop)
    expectProblem(await prove(guarded.token, { password: PASSWORD }), 422)
    const code = guarded.recoveryCodes[0]
    const { status, body } = await prove(guarded.token, { code })
    expect(status).toBe(200)
    expectProblem(await prove(body.access_token, { code }), 422)
  })
})

describe('an attacker with an open session', () => {
  test('gets ten guesses in a quarter of an hour, and fifty a day', async () => {
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' } })
    const guarded = await aGuarded(limited)
    let from = 0
    const guess = async () =>
      limited.call('POST', '/api/v1/user/sessions/proof', {
        token: guarded.token,
        body: { code: wrongCodeOf(guarded.secret) },
        headers: { 'x-forwarded-for': `203.0.${from++}.7` },
      })
    const guessUntilRefused = async (most: number) => {
      for (let count = 0; count < most; count++) if ((await guess()).status === 429) return count
      return most
    }
    /** As if a quarter of an hour had passed. */
    const waitQuarter = () =>
      sql`delete from rate_counts where ends_at < now() + interval '1 hour'`.execute(limited.db)
    // One less each time: what is refused is remembered for a moment.
    for (let quarter = 0; quarter < 5; quarter++) {
      expect(await guessUntilRefused(9)).toBe(9)
      await waitQuarter()
    }
    expect(await guessUntilRefused(9)).toBe(5)
  })
})

describe('an attacker with the password', () => {
  const LIMITED = { env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' } }
  const from = (i: number, cookie?: string): Record<string, string> => ({
    'x-forwarded-for': `203.0.${i}.7`,
    ...(cookie ? { cookie } : {}),
  })
  const cookieOf = ({ headers }: { headers: Headers }) =>
    headers
      .getSetCookie()
      .find((text) => text.includes('KNOWN-BROWSER'))
      ?.split(';')[0] ?? ''
  type Shop = Parameters<typeof aTicket>[0]

  /** Guesses from one network with ticket after ticket; returns the status of the last. */
  const guess = async (limited: Shop, guarded: Guarded, tries: number, i: number, cookie?: string) => {
    let status = 0
    let ticket = ''
    for (let n = 0; n < tries; n++) {
      if (n % 5 === 0) ticket = await aTicket(limited, guarded, from(i, cookie))
      status = (await answer(limited, ticket, { code: wrongCodeOf(guarded.secret) }, from(i, cookie))).status
    }
    return status
  }

  test('gets ten guesses from a network, and does not lock the owner out, whose browser is known', async () => {
    const limited = await startTestShop(LIMITED)
    const guarded = await aGuarded(limited)
    const first = await answer(
      limited,
      await aTicket(limited, guarded, from(1)),
      { code: codeOf(guarded.secret) },
      from(1),
    )
    const cookie = cookieOf(first)
    expect(cookie).not.toBe('')
    expect(await guess(limited, guarded, 10, 2)).toBe(401)
    const ticket = await aTicket(limited, guarded, from(3))
    expect((await answer(limited, ticket, { code: '000000' }, from(2))).status).toBe(429)
    // From more networks, until the hour's guesses of all strangers are used up.
    for (const i of [4, 5, 6, 7]) await guess(limited, guarded, 10, i)
    expect((await answer(limited, ticket, { code: codeOf(guarded.secret, 1) }, from(8))).status).toBe(429)

    await waitAStep(limited, guarded.id)
    const own = await aTicket(limited, guarded, from(2, cookie))
    expect((await answer(limited, own, { code: codeOf(guarded.secret) }, from(2, cookie))).status).toBe(200)
  })

  test('is no known browser by what it was before the second step, nor by a reset of the password', async () => {
    const limited = await startTestShop(LIMITED)
    const guarded = await aGuarded(limited)
    await limited.db
      .updateTable('customers')
      .set({ second_step_at: null })
      .where('id', '=', guarded.id)
      .execute()
    const before = await limited.call('POST', '/api/v1/user/login', {
      body: { username: guarded.email, password: PASSWORD },
      headers: from(1),
    })
    await limited.db
      .updateTable('customers')
      .set({ second_step_at: new Date() })
      .where('id', '=', guarded.id)
      .execute()
    expect(await guess(limited, guarded, 10, 2, cookieOf(before))).toBe(401)
    const ticket = await aTicket(limited, guarded, from(3))
    const wrong = { code: '000000' }
    expect((await answer(limited, ticket, wrong, from(2, cookieOf(before)))).status).toBe(429)

    await ageFactors(limited, guarded.id)
    await limited.call('POST', '/api/v1/user/password/forgot', { body: { username: guarded.email } })
    const mail = await mailbox(limited).latest(guarded.email, 'Choose a new password')
    const reset = await limited.call('POST', '/api/v1/user/password/reset', {
      body: { token: tokenIn(mail, '/reset/'), password: 'a robin on the gate 17' },
    })
    expect(reset.status).toBe(200)
    expect(cookieOf(reset)).toBe('')
  })

  test('uses up no count by right codes', async () => {
    const limited = await startTestShop(LIMITED)
    const guarded = await aGuarded(limited)
    for (let i = 0; i < 10; i++) {
      await waitAStep(limited, guarded.id)
      const ticket = await aTicket(limited, guarded, from(i))
      const { status } = await answer(limited, ticket, { code: codeOf(guarded.secret) }, from(9))
      expect(status).toBe(200)
    }
    await waitAStep(limited, guarded.id)
    const ticket = await aTicket(limited, guarded, from(10))
    expect((await answer(limited, ticket, { code: codeOf(guarded.secret) }, from(9))).status).toBe(200)
  })
})
