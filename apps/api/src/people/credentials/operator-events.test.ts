import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { CREDENTIALS, type Credential, EVENTS_OF, type Fate } from '#people/credentials/credentials.ts'
import { deleteWaysIn, lockOperators } from '#people/operators/operators.queries.ts'
import { anAuthenticator, answers, makes } from '#testing/authenticator.ts'
import { consoleOfFile, type TestOperator } from '#testing/console.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import {
  anInvitation,
  atConsole,
  type ByPassword,
  confirmLast,
  joinByPassword,
  letCodesPass,
  logIn,
  logInAgain,
  openLink,
  sendCode,
} from '#testing/operators.ts'
import { codeOf } from '#testing/second-step.ts'

const place = await consoleOfFile()
const { shop, ask } = place

type Event = (typeof EVENTS_OF.operator)[number]
const HELD = CREDENTIALS.filter(({ holder }) => holder === 'operator')

/** `secret`: of the app that they have now. */
type Kept = { operator: TestOperator & { secret?: string }; passkeyId?: string }

const own = ({ session }: Pick<TestOperator, 'session'>, method: string, path: string, body?: object) =>
  ask({ session }, method, `/api/v1/account${path}`, body ? { body } : {})

/** By two other owners, as what is done to an owner takes. */
const byOwner = async (method: string, { id }: TestOperator, path = '', body?: object) => {
  const owner = await joinByPassword(place)
  await ask(owner, method, `/api/v1/operators/${id}${path}`, body ? { body } : {})
  return confirmLast(place, await joinByPassword(place))
}

const askForOwner = (operator: TestOperator) =>
  ask(operator, 'POST', '/api/v1/operators', { body: { name: `accomplice ${randomUUID()}`, role: 'owner' } })

const EVENTS: Readonly<Record<Event, (kept: Kept) => Promise<{ status: number }>>> = {
  'invited anew': ({ operator }) => byOwner('POST', operator, '/link'),
  'role lowered': ({ operator }) => byOwner('PUT', operator, '/role', { role: 'viewer' }),
  ended: ({ operator }) => byOwner('DELETE', operator),
  'new password': async ({ operator }) => {
    const { ticket, secret } = (await own(operator, 'POST', '/app')).body
    const password = 'a linnet in the furze 19'
    operator.secret = secret
    return own(operator, 'PUT', '/password', { password, ticket, code: codeOf(secret) })
  },
  'passkey removed': ({ operator, passkeyId }) => own(operator, 'DELETE', `/passkeys/${passkeyId}`),
  'password removed': ({ operator }) => own(operator, 'DELETE', '/password'),
}

type Opens = () => Promise<boolean>
type Probes = Partial<Record<'old' | 'own' | 'other', Opens>>

const isIn = (session: string) => async () =>
  (await ask({ session }, 'GET', '/api/v1/session')).status === 200

const aPasskeyOf = async (operator: TestOperator) => {
  const device = anAuthenticator()
  const made = makes(shop, device, (await own(operator, 'POST', '/passkeys/options')).body, atConsole(shop))
  await own(operator, 'POST', '/passkeys', { ...made, name: 'Key ring' })
  const { passkeys } = (await own(operator, 'GET', '')).body
  return { device, passkeyId: passkeys[0].id as string }
}

const byPassword = async (operator: ByPassword) => {
  await letCodesPass(shop, operator)
  const { status, body } = await logIn(place, operator.name)
  return status === 200 && (await sendCode(place, body.ticket, codeOf(operator.secret))).status === 200
}

/** An owner with all that an operator may get in by. */
const anOwner = async (): Promise<Kept & { probes: Record<string, Probes> }> => {
  const operator = await joinByPassword(place)
  const before = { ...operator }
  const { device, passkeyId } = await aPasskeyOf(operator)
  const other = await logInAgain(place, operator)
  const permissions = ['payments.see', 'operators.see']
  const { token } = (await own(operator, 'POST', '/tokens', { name: 'reports', permissions, days: 365 })).body
  const { ticket } = (await logIn(place, operator.name)).body
  await letCodesPass(shop, operator)
  await askForOwner(operator)
  const [{ id: asked }] = (await ask(operator, 'GET', '/api/v1/second-persons')).body
  const confirmed = async () => {
    const reply = await ask(await joinByPassword(place), 'POST', `/api/v1/second-persons/${asked}`)
    return reply.body.isNew === true
  }
  const byPasskey = async () => {
    const { body } = await ask(undefined, 'POST', '/api/v1/log-in/passkey/options')
    const sent = { body: answers(shop, device, body, atConsole(shop)) }
    return (await ask(undefined, 'POST', '/api/v1/log-in/passkey', sent)).status === 200
  }
  return {
    operator,
    passkeyId,
    probes: {
      'operator’s session': { own: isIn(operator.session), other: isIn(other) },
      'token of an operator’s program': {
        old: async () => (await ask(undefined, 'GET', '/api/v1/payments', { token })).status === 200,
      },
      'ticket of an operator’s log-in, or of a way in to be added': {
        old: async () => {
          await letCodesPass(shop, operator)
          return (await sendCode(place, ticket, codeOf(operator.secret))).status === 200
        },
      },
      'operator’s password and app': { old: () => byPassword(before) },
      'operator’s passkey': { old: byPasskey },
      'act that waits for a second person': { old: confirmed },
    },
  }
}

/** An owner who was invited and has not come yet. */
const anInvited = async (): Promise<Kept & { probes: Record<string, Probes> }> => {
  const { token, ...invited } = await anInvitation(place)
  const opens = async () => (await openLink(place, token)).status === 200
  return { operator: { ...invited, session: '' }, probes: { 'operator’s invitation': { old: opens } } }
}

const ends = { old: false, own: false, other: false }
const stays = { old: true, own: true, other: true }
const WANTED: Readonly<Record<Fate, Partial<Record<keyof Probes, boolean>>>> = {
  ends,
  replaced: ends,
  waits: ends,
  'new ones end': {},
  stays,
  'others end': { own: true, other: false },
  'cannot be': {},
}

const look = async (event: Event, { probes, ...kept }: Kept & { probes: Record<string, Probes> }) => {
  expect((await EVENTS[event](kept)).status).toBeLessThan(300)
  for (const [name, ways] of Object.entries(probes)) {
    const { events } = HELD.find((one) => one.name === name) as Credential<'operator'>
    for (const [way, opens] of Object.entries(ways) as [keyof Probes, Opens][])
      expect([name, way, await opens()]).toEqual([name, way, WANTED[events[event]][way]])
  }
}

test.each(EVENTS_OF.operator)(
  '%s: each of an operator’s credentials opens what the table says',
  async (event) => {
    await look(event, await anOwner())
  },
)

test.each(['invited anew', 'role lowered', 'ended'] as const)(
  '%s: the invitation that was not used opens what the table says',
  async (event) => {
    await look(event, await anInvited())
  },
)

test('every credential of an operator is among those that are looked at', async () => {
  const names = [await anOwner(), await anInvited()].flatMap(({ probes }) => Object.keys(probes))
  expect(HELD.filter(({ name }) => !names.includes(name)).map(({ name }) => name)).toEqual([])
})

test.each(['invited anew', 'role lowered', 'ended'] as const)(
  '%s: nobody gets in by a link that the operator made for another',
  async (event) => {
    const kept = await anOwner()
    await askForOwner(kept.operator)
    const { link } = (await confirmLast(place, await joinByPassword(place))).body
    await look(event, kept)
    expect((await openLink(place, link.slice(link.indexOf('#') + 1))).status).not.toBe(200)
  },
)

const SENT: Readonly<Record<string, (operator: ByPassword) => Promise<() => Promise<{ status: number }>>>> = {
  'a token': async (operator) => () =>
    own(operator, 'POST', '/tokens', { name: 'kept', permissions: ['shop.see'], days: 365 }),
  'a passkey': async (operator) => {
    const { body } = await own(operator, 'POST', '/passkeys/options')
    const made = makes(shop, anAuthenticator(), body, atConsole(shop))
    return () => own(operator, 'POST', '/passkeys', { ...made, name: 'kept' })
  },
  'a session': async (operator) => {
    const { ticket } = (await logIn(place, operator.name)).body
    return () => sendCode(place, ticket, codeOf(operator.secret))
  },
}

test.each(Object.entries(SENT))(
  '%s that is made while its operator is invited anew is not',
  async (_, prepare) => {
    const operator = await joinByPassword(place, 'support')
    const send = await prepare(operator)
    const sent = await shop.db.transaction().execute(async (trx) => {
      await lockOperators(trx)
      const reply = send()
      await expect.poll(() => areWaiting(shop)).toBe(true)
      await deleteWaysIn(trx, operator.id)
      return { reply }
    })
    expect((await sent.reply).status).toBeGreaterThanOrEqual(400)
    for (const table of ['operator_tokens', 'operator_passkeys', 'operator_sessions'] as const)
      expect(
        await shop.db.selectFrom(table).select('id').where('operator_id', '=', operator.id).execute(),
      ).toEqual([])
  },
)
