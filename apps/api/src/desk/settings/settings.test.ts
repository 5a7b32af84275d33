import { freePort } from '@hedgerow/testing/free-port'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { anOperator, consoleCallOf, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { confirmLast, deedsOf, letOperatorProofAge } from '#testing/operators.ts'
import { aPartner, partnershipOf } from '#testing/partners.ts'
import { aPurchase } from '#testing/payments.ts'
import { type Front, startFront } from '#testing/test-shop.ts'

const { shop, ask } = await consoleOfFile()

const manager = () => anOperator(shop.db, 'manager')

const set = (operator: TestOperator, name: string, value: unknown) =>
  ask(operator, 'PUT', `/api/v1/settings/${name}`, { body: { value } })
const clear = (operator: TestOperator, name: string) => ask(operator, 'DELETE', `/api/v1/settings/${name}`)

const all = async (operator: TestOperator) => (await ask(operator, 'GET', '/api/v1/settings')).body

const oneOf = async (operator: TestOperator, name: string) =>
  (await all(operator)).find((one: { name: string }) => one.name === name)

const holdDays = async (front: Pick<Front, 'call'>) =>
  (await partnershipOf(front, await aPartner(shop))).holdDays

const announcement = async ({ call }: Pick<Front, 'call'>) => (await call('GET', '/api/v1/announcement')).body

/** Another process of the same shop, with a console of its own. */
const anotherFront = async (): Promise<Front & { ask: typeof ask }> => {
  const port = await freePort()
  const { databaseUrl, sandbox, env, gateCalls, holdGateCalls } = shop
  const ground = {
    ...{ databaseUrl, sandbox, gateCalls, holdGateCalls },
    env: { ...env, CONSOLE_PORT: String(port) },
  }
  return { ...(await startFront(ground)), ask: consoleCallOf(`http://127.0.0.1:${port}`) }
}

afterEach(async () => {
  await sql`delete from running_settings`.execute(shop.db)
  await until(async () => (await announcement(shop)) === null)
})

describe('a setting that an operator changes', () => {
  test('counts in every process of the shop, in one that starts later, and no longer once it is taken away', async () => {
    const operator = await manager()
    const usual = await holdDays(shop)
    const other = await anotherFront()
    try {
      expect(await set(operator, 'partner-hold-days', '3')).toMatchObject({ status: 200 })
      await until(async () => (await holdDays(shop)) === 3 && (await holdDays(other)) === 3)
      // By the other's console: one shop, whichever is asked.
      const reply = await other.ask(operator, 'PUT', '/api/v1/settings/partner-hold-days', {
        body: { value: '5' },
      })
      expect(reply.status).toBe(200)
      await until(async () => (await holdDays(shop)) === 5 && (await holdDays(other)) === 5)
      const later = await anotherFront()
      try {
        expect(await holdDays(later)).toBe(5)
      } finally {
        await later.stop()
      }
      await clear(operator, 'partner-hold-days')
      await until(async () => (await holdDays(shop)) === usual && (await holdDays(other)) === usual)
      expect(await oneOf(operator, 'partner-hold-days')).toMatchObject({ value: null, usual: String(usual) })
    } finally {
      await other.stop()
    }
  })

  test('is shown with who set it and when, and stands in the record', async () => {
    const operator = await manager()
    await set(operator, 'partner-minimum-spend', '12.50')
    expect(await oneOf(operator, 'partner-minimum-spend')).toEqual({
      name: 'partner-minimum-spend',
      value: '12.50',
      usual: expect.any(String),
      setAt: expect.any(String),
      by: operator.name,
    })
    await clear(operator, 'partner-minimum-spend')
    expect(await deedsOf(shop, operator)).toMatchObject([
      {
        command: 'setting set',
        subject: 'partner-minimum-spend',
        outcome: 'done',
        arguments: { value: '12.50' },
      },
      { command: 'setting clear', subject: 'partner-minimum-spend', outcome: 'done' },
    ])
  })

  test('that was the last of many in a row is the one that counts', async () => {
    const operator = await manager()
    await Promise.all(Array.from({ length: 12 }, (_, day) => set(operator, 'partner-hold-days', String(day))))
    await set(operator, 'partner-hold-days', '21')
    await until(async () => (await holdDays(shop)) === 21)
    expect(await oneOf(operator, 'partner-hold-days')).toMatchObject({ value: '21' })
  })

  test('moves the limit above which support may not refund', async () => {
    const support = await anOperator(shop.db, 'support')
    /** Of five euro, of a payment of its own: what was given back before counts as well. */
    const refund = async () => {
      const { paymentId } = await aPurchase(shop)
      return ask(support, 'POST', `/api/v1/payments/${paymentId}/refund`, { body: { amountMinor: 500 } })
    }
    expect((await refund()).status).toBe(200)
    const owner = await anOperator(shop.db)
    await set(await manager(), 'large-refund', '4.99')
    await confirmLast({ ask }, owner)
    await until(async () => (await refund()).status === 403)
    await clear(await manager(), 'large-refund')
    await confirmLast({ ask }, owner)
    await until(async () => (await refund()).status === 200)
  })

  test('moves where messages to operators go, once two have agreed', async () => {
    const owner = await anOperator(shop.db)
    const to = async () => (await ask(owner, 'GET', '/api/v1/set-up')).body.mail.to
    expect((await set(await manager(), 'operator-email', 'desk@example.org')).status).toBe(403)
    expect(await to()).toBe(shop.settings.operatorEmail)
    await confirmLast({ ask }, owner)
    await until(async () => (await to()) === 'desk@example.org')
  })

  test('is changed by those only who may, and who have just shown who they are', async () => {
    for (const role of ['support', 'finance', 'servers', 'viewer'] as const)
      expectProblem(await set(await anOperator(shop.db, role), 'announcement', 'Hello'), 403)
    for (const role of ['support', 'finance', 'servers'] as const)
      expectProblem(await ask(await anOperator(shop.db, role), 'GET', '/api/v1/settings'), 403)
    const late = await manager()
    await letOperatorProofAge(shop, late)
    expect(expectProblem(await set(late, 'announcement', 'Hello'), 403).body.code).toBe('ask-again')
    expectProblem(
      await ask(undefined, 'PUT', '/api/v1/settings/announcement', { body: { value: 'Hello' } }),
      401,
    )
    expect(await announcement(shop)).toBeNull()
  })

  test.each([
    ['partner-hold-days', '-1'],
    ['partner-hold-days', '366'],
    ['partner-hold-days', '1e2'],
    ['partner-hold-days', '0x10'],
    ['partner-hold-days', ''],
    ['expired-grace-days', '999999'],
    ['partner-minimum-spend', '-5.00'],
    ['partner-minimum-spend', '1e9'],
    ['partner-minimum-spend', '99999999999999999999.00'],
    ['large-refund', 'Infinity'],
    ['large-refund', '0.001'],
    ['card-gateway', 'paypal'],
    ['crypto-gateway', 'gate'],
    ['announcement', ''],
    ['announcement', 'Two\nlines'],
    ['announcement', 'x'.repeat(161)],
  ])('%s is not set to %j', async (name, value) => {
    const operator = await manager()
    expect(messageFor(expectProblem(await set(operator, name, value), 422), 'value')).toMatch(/./)
    expect(await oneOf(operator, name)).toMatchObject({ value: null })
  })

  test('is one that there is, and its value a text', async () => {
    const operator = await manager()
    for (const name of ['__proto__', 'constructor', 'GATE_URL', 'brand'])
      expectProblem(await set(operator, name, 'x'), 404)
    for (const value of [3, true, {}, ['x'], undefined])
      expectProblem(await set(operator, 'announcement', value), 422)
  })
})

describe('the announcement', () => {
  test('is told to every visitor of the shop as it was written, with its link', async () => {
    const operator = await manager()
    await set(operator, 'announcement', ' Maintenance <b>tonight</b> ')
    await until(async () => (await announcement(shop)) !== null)
    expect(await announcement(shop)).toEqual({ text: 'Maintenance <b>tonight</b>', link: null })
    await set(operator, 'announcement-link', '/status')
    await until(async () => (await announcement(shop)).link === '/status')
    await clear(operator, 'announcement')
    // A link alone is nothing.
    await until(async () => (await announcement(shop)) === null)
  })

  test.each(['/products', '/status?from=line#now', 'https://example.org/a?b=c'])(
    'links to %s',
    async (link) => {
      expect((await set(await manager(), 'announcement-link', link)).status).toBe(200)
    },
  )

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' data:text/html,x',
    'http://example.org/',
    '//example.org/',
    '/\\example.org/',
    '/\t/example.org',
    'products',
    'ftp://example.org',
    'https://',
    'https:example.org',
    'https://ada:secret@example.org/',
    '/a"onclick="x',
  ])('does not link to %j', async (link) => {
    const operator = await manager()
    const reply = expectProblem(await set(operator, 'announcement-link', link), 422)
    expect(messageFor(reply, 'value')).toMatch(/./)
    expect(await oneOf(operator, 'announcement-link')).toMatchObject({ value: null })
  })
})
