import { randomUUID } from 'node:crypto'
import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { CREDENTIALS, type Credential, EVENTS_OF, type Fate } from '#people/credentials/credentials.ts'
import { hashPassword } from '#people/passwords/passwords.ts'
import { hashToken, newToken } from '#platform/crypto/tokens.ts'
import { type Authenticator, answers, aPasskey } from '#testing/authenticator.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { aCustomer, aSession, eraseAccount, PASSWORD, type TestCustomer } from '#testing/customers.ts'
import { changeEmail, confirmEmail, undoEmail } from '#testing/email-changes.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import {
  aGuarded,
  ageFactors,
  answer,
  beginApp,
  codeOf,
  confirmApp,
  waitAStep,
} from '#testing/second-step.ts'
import { aPartnerWith, aWithdrawal, requestPayout, withdrawalRow } from '#testing/withdrawals.ts'

const { shop, ask } = await consoleOfFile()
const NEW = 'a robin on the gate 17'

type Event = (typeof EVENTS_OF.customer)[number]
const HELD = CREDENTIALS.filter(({ holder }) => holder === 'customer')

/** How an account is held now: by which address and which password. */
type Account = TestCustomer

const reset = async (account: Account) => {
  await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: account.email } })
  const token = tokenIn(await mailbox(shop).latest(account.email, 'Choose a new password'), '/reset/')
  return shop.call('POST', '/api/v1/user/password/reset', { body: { token, password: NEW } })
}

const resetByOperators = async ({ id }: Account) => {
  for (const operator of [await anOperator(shop.db), await anOperator(shop.db)])
    await ask(operator, 'POST', `/api/v1/customers/${id}/second-step-reset`)
}

/** What happens to an account, by the calls that make it happen. Each returns the password that it has then. */
const EVENTS: Readonly<Record<Event, (account: Account) => Promise<string>>> = {
  'email confirmed': async (account) => {
    account.email = (await changeEmail(shop, account)).email
    return PASSWORD
  },
  'email undone': async (account) => {
    const { undo } = await changeEmail(shop, account)
    expect((await undoEmail(shop, undo, NEW)).status).toBe(200)
    return NEW
  },
  'reset by mail': async (account) => {
    expect((await reset(account)).status).toBe(200)
    return NEW
  },
  'new password': async ({ token }) => {
    const body = { password: PASSWORD, newPassword: NEW }
    expect((await shop.call('POST', '/api/v1/user/password', { token, body })).status).toBe(200)
    return NEW
  },
  'other sessions ended': async ({ token }) => {
    expect((await shop.call('DELETE', '/api/v1/user/sessions', { token })).status).toBe(200)
    return PASSWORD
  },
  'second step off': async ({ token }) => {
    const body = { isOn: false }
    expect((await shop.call('PUT', '/api/v1/user/second-step', { token, body })).status).toBe(200)
    return PASSWORD
  },
  'logged out by us': async ({ id }) => {
    const body = { newPassword: true, withoutSecondStep: false }
    const { status } = await ask(await anOperator(shop.db), 'POST', `/api/v1/customers/${id}/log-out`, {
      body,
    })
    expect(status).toBe(200)
    return NEW
  },
  'second step reset by us': async (account) => {
    await resetByOperators(account)
    return PASSWORD
  },
  erased: async (account) => {
    await eraseAccount(shop, account)
    return PASSWORD
  },
}

type Opens = () => Promise<boolean>
/** `old` and `fresh`: added before and within the days of the trial; `own` and `other`: of the session that caused the event. */
type Probes = Partial<Record<'old' | 'fresh' | 'own' | 'other', Opens>>
type Kept = { account: Account; probes: Record<string, Probes> }

const isOk = async (reply: Promise<{ status: number }>) => (await reply).status === 200
const session = (token: string) => () => isOk(shop.call('GET', '/api/v1/user/profile', { token }))

const logIn = ({ email, password }: Pick<Account, 'email' | 'password'>) =>
  shop.call('POST', '/api/v1/user/login', { body: { username: email, password } })

const byPasskey = (device: Authenticator) => async () => {
  const { body } = await shop.call('POST', '/api/v1/user/login/passkey/options')
  return isOk(shop.call('POST', '/api/v1/user/login/passkey', { body: answers(shop, device, body) }))
}

/** With the password of now and this code. */
const byCode = (account: Account, code: () => string) => async () => {
  const ticket = (await logIn(account)).body.secondStep?.ticket
  if (ticket === undefined) return false
  await waitAStep(shop, account.id)
  return isOk(answer(shop, ticket, { code: code() }))
}

/** A link that would work, and that this does not use up. */
const aResetLink = async ({ id }: Account): Promise<Opens> => {
  const token = newToken()
  const expires_at = sql<Date>`now() + interval '1 hour'`
  const row = { token_hash: hashToken(token), customer_id: id, purpose: 'reset' as const, expires_at }
  await shop.db.insertInto('account_links').values(row).execute()
  const body = { token, password: 'password1' }
  return async () => (await shop.call('POST', '/api/v1/user/password/reset', { body })).status === 422
}

const aPendingEmail = async ({ id, email }: Account): Promise<Opens> => {
  const token = newToken()
  await sql`insert into email_changes (id, customer_id, old_email, new_email, expires_at, confirm_hash)
    values (${randomUUID()}, ${id}, ${email}, ${`new.${email}`}, now() + interval '1 day', ${hashToken(token)})`.execute(
    shop.db,
  )
  return () => isOk(confirmEmail(shop, token))
}

/** An account with a second step, old connections, passkeys of both kinds, and all that waits. */
const aLivedIn = async (): Promise<Kept> => {
  const { customer: account, paymentId } = await aPurchase(shop)
  const [connection] = await connectionsOf(shop, paymentId)
  const secret = await beginApp(shop, account.token)
  const { recoveryCodes } = (await confirmApp(shop, account.token, codeOf(secret))).body
  const old = await aPasskey(shop, account)
  await ageFactors(shop, account.id)
  const fresh = await aPasskey(shop, account)
  const make = (what: string) =>
    shop.call('POST', `/api/v1/connections/${connection?.id}/${what}`, { token: account.token })
  const link = (await make('link')).body.url.split('#')[1]
  const fileAddress = (await make('file-address')).body.url
  const ticket = (await logIn(account)).body.secondStep.ticket
  const other = await aSession(shop, account.id)
  const setUp = await beginApp(shop, other)
  const { email } = account
  return {
    account,
    probes: {
      session: { own: session(account.token), other: session(other) },
      password: { old: () => isOk(logIn({ email: account.email, password: PASSWORD })) },
      passkey: { old: byPasskey(old), fresh: byPasskey(fresh) },
      'authenticator app': { old: byCode(account, () => codeOf(secret)) },
      'recovery code': { old: byCode(account, () => recoveryCodes[0]) },
      'ticket of a log-in, or of a passkey to be added': {
        old: () => isOk(answer(shop, ticket, { code: recoveryCodes[1] })),
      },
      'link to a connection': {
        old: () => isOk(shop.call('POST', '/api/v1/shared', { body: { token: link } })),
      },
      'address of a connection’s file': { old: async () => (await fetch(fileAddress)).ok },
      'keys of a connection': {
        old: async () => {
          const [row] = await connectionsOf(shop, paymentId)
          return row?.public_key === connection?.public_key && row?.removed_at === null
        },
      },
      'mailed link to confirm an account or to choose a password': { old: await aResetLink(account) },
      'authenticator app that is being set up': {
        other: () => isOk(confirmApp(shop, other, codeOf(setUp))),
      },
      'change of the email: the links that confirm and undo it': {
        old: await aPendingEmail({ ...account, email }),
      },
    },
  }
}

/** An account whose second step is new. */
const aBeginner = async (): Promise<Kept> => {
  const account = await aGuarded(shop)
  const { secret, recoveryCodes } = account
  return {
    account,
    probes: {
      'authenticator app': { fresh: byCode(account, () => codeOf(secret)) },
      'recovery code': { fresh: byCode(account, () => String(recoveryCodes[0])) },
    },
  }
}

/** An account whose second step was said to be lost, and of which an operator has said that it may be reset. */
const aLoser = async (): Promise<Kept> => {
  const account = await aGuarded(shop)
  await ageFactors(shop, account.id)
  const { ticket } = (await logIn(account)).body.secondStep
  await shop.call('POST', '/api/v1/user/login/way-back', { body: { ticket } })
  const path = `/api/v1/customers/${account.id}/second-step-reset`
  await ask(await anOperator(shop.db), 'POST', path)
  return {
    account,
    probes: {
      'wait at whose end the second step is off, and the link that stops it': {
        old: async () => Boolean((await logIn(account)).body.secondStep?.endsAt),
      },
      'one operator’s word that a second step may be reset': {
        old: async () => (await ask(await anOperator(shop.db), 'POST', path)).body.outcome === 'reset',
      },
    },
  }
}

const aPartner = async (): Promise<Kept> => {
  const account = await aPartnerWith(shop, 50_000)
  const [old, fresh] = [aWithdrawal(), aWithdrawal()]
  for (const one of [old, fresh]) expect((await requestPayout(shop, account, one)).status).toBe(201)
  await sql`update withdrawals set created_at = now() - interval '8 days' where id = ${old.id}`.execute(
    shop.db,
  )
  const waits = (id: string) => async () => (await withdrawalRow(shop, id)).status === 'requested'
  return { account, probes: { 'withdrawal that waits': { old: waits(old.id), fresh: waits(fresh.id) } } }
}

/** An account whose address was not confirmed: it opens with this browser's secret and the mailed link. */
const aNewcomer = async (): Promise<Kept> => {
  const account = await aCustomer(shop, { isConfirmed: false })
  const hash = async () =>
    shop.db
      .selectFrom('customers')
      .select('signup_secret_hash')
      .where('id', '=', account.id)
      .executeTakeFirst()
  await shop.db
    .updateTable('customers')
    .set({ signup_secret_hash: sql`'\\x01'::bytea` as never })
    .where('id', '=', account.id)
    .execute()
  return {
    account,
    probes: {
      'secret of the browser that signed up': { old: async () => (await hash())?.signup_secret_hash != null },
    },
  }
}

const ends = { old: false, fresh: false, own: false, other: false }
const stays = { old: true, fresh: true, own: true, other: true }
/** What is found of each where the table says so. */
const WANTED: Readonly<Record<Fate, Partial<Record<string, boolean>>>> = {
  ends,
  replaced: ends,
  waits: ends,
  stays,
  'cannot be': stays,
  'new ones end': { old: true, fresh: false },
  'others end': { own: true, other: false },
}

/** A password that only its owner is to know, once they have chosen it: here it is chosen at once. */
const choosePassword = async (account: Account) =>
  shop.db
    .updateTable('customers')
    .set({ password_hash: await hashPassword(account.password) })
    .where('id', '=', account.id)
    .execute()

const ACCOUNTS = { 'a lived-in': aLivedIn, 'a new': aBeginner, 'a lost': aLoser, 'a partner’s': aPartner }
const pairs = EVENTS_OF.customer.flatMap((event) =>
  Object.keys(ACCOUNTS).map((kind) => [event, kind] as const),
)

const look = async (event: Event, { account, probes }: Kept): Promise<void> => {
  account.password = await EVENTS[event](account)
  if (event === 'logged out by us') {
    // Looked at now, for the new one would hide it.
    expect(await isOk(logIn({ email: account.email, password: PASSWORD }))).toBe(false)
    await choosePassword(account)
  }
  await queueIsEmpty(shop)
  for (const [name, ways] of Object.entries(probes)) {
    const { events } = HELD.find((one) => one.name === name) as Credential<'customer'>
    for (const [way, opens] of Object.entries(ways))
      if (WANTED[events[event]][way] !== undefined)
        expect([name, way, await opens()]).toEqual([name, way, WANTED[events[event]][way]])
  }
}

test.each(pairs)('%s, in %s account: each credential opens what the table says', async (event, kind) => {
  await look(event, await ACCOUNTS[kind as keyof typeof ACCOUNTS]())
})

test('reset by mail, in an unconfirmed account: the browser that signed up opens it no longer', async () => {
  await look('reset by mail', await aNewcomer())
})

test('every credential of a customer is among those that are looked at', async () => {
  const kept = await Promise.all([...Object.values(ACCOUNTS), aNewcomer].map((make) => make()))
  const names = kept.flatMap(({ probes }) => Object.keys(probes))
  expect(HELD.filter(({ name }) => !names.includes(name)).map(({ name }) => name)).toEqual([])
})
