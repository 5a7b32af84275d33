import type { Reply } from '@hedgerow/testing/call'
import { type RawBuilder, sql } from 'kysely'
import { OPERATOR_COOKIE } from '#people/operators/guard-operators.ts'
import { inviteOperator } from '#people/operators/operators.service.ts'
import { type Authenticator, anAuthenticator, makes } from '#testing/authenticator.ts'
import type { TestConsole, TestOperator } from '#testing/console.ts'
import { codeOf } from '#testing/second-step.ts'
import type { TestShop } from '#testing/test-shop.ts'

type Place = Pick<TestConsole, 'ask'> & { shop: TestShop }

export const OPERATOR_PASSWORD = 'a dunnock under the blackthorn 7'

let invited = 0

/** The token of a link for a new operator. */
export const anInvitation = async (
  { shop }: Pick<Place, 'shop'>,
  given: { name?: string; role?: TestOperator['role'] } = {},
): Promise<{ id: string; name: string; role: TestOperator['role']; token: string }> => {
  const { role = 'owner', name = `${role} number ${++invited} ${Date.now()}` } = given
  const { id, link } = await inviteOperator(shop, { name, role })
  return { id, name, role, token: link.slice(link.indexOf('#') + 1) }
}

/** The session that an answer has set. */
export const sessionOf = ({ headers }: Pick<Reply, 'headers'>): string => {
  const cookie = headers.getSetCookie().find((one) => one.includes(`${OPERATOR_COOKIE}=`)) ?? ''
  return cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';'))
}

export const openLink = ({ ask }: Pick<Place, 'ask'>, token: string): Promise<Reply> =>
  ask(undefined, 'POST', '/api/v1/invitation', { body: { token } })

/** Uses a link, with what there is to get in by. */
export const accept = ({ ask }: Pick<Place, 'ask'>, token: string, given: object): Promise<Reply> =>
  ask(undefined, 'POST', '/api/v1/invitation/accept', { body: { token, ...given } })

/** What an authenticator answers the console with: its origin is not the shop's. */
export const atConsole = ({ settings }: Pick<TestShop, 'settings'>, given: object = {}) => ({
  origin: new URL(settings.consoleUrl).origin,
  ...given,
})

const requireDone = (reply: Reply, status = 200): Reply => {
  if (reply.status !== status) throw new Error(`Refused: ${reply.text}`)
  return reply
}

export type ByPassword = TestOperator & { secret: string }

/** The app may answer again at once: as if a while had passed since its last code. */
export const letCodesPass = ({ db }: Pick<TestShop, 'db'>, { id }: Pick<TestOperator, 'id'>) =>
  db.updateTable('operators').set({ totp_last_step: 0 }).where('id', '=', id).execute()

/** An operator who came by a link and chose a password and an app. */
export const joinByPassword = async (
  place: Place,
  role: TestOperator['role'] = 'owner',
): Promise<ByPassword> => {
  const { token, ...operator } = await anInvitation(place, { role })
  const { app } = requireDone(await openLink(place, token)).body
  const given = { password: OPERATOR_PASSWORD, ticket: app.ticket, code: codeOf(app.secret) }
  const reply = requireDone(await accept(place, token, { app: given }))
  await letCodesPass(place.shop, operator)
  return { ...operator, session: sessionOf(reply), secret: app.secret }
}

/** An operator who came by a link and made a passkey. */
export const joinByPasskey = async (
  place: Place,
  role: TestOperator['role'] = 'owner',
): Promise<TestOperator & { authenticator: Authenticator }> => {
  const { token, ...operator } = await anInvitation(place, { role })
  const { passkey } = requireDone(await openLink(place, token)).body
  const authenticator = anAuthenticator()
  const made = makes(place.shop, authenticator, passkey, atConsole(place.shop))
  const reply = requireDone(await accept(place, token, { passkey: { ...made, name: '' } }))
  return { ...operator, session: sessionOf(reply), authenticator }
}

/** The first half of a log-in. */
export const logIn = (
  { ask }: Pick<Place, 'ask'>,
  name: string,
  password: string = OPERATOR_PASSWORD,
  headers: Record<string, string> = {},
): Promise<Reply> => ask(undefined, 'POST', '/api/v1/log-in', { body: { name, password }, headers })

/** The second. */
export const sendCode = (
  { ask }: Pick<Place, 'ask'>,
  ticket: string,
  code: string,
  headers: Record<string, string> = {},
): Promise<Reply> => ask(undefined, 'POST', '/api/v1/log-in/code', { body: { ticket, code }, headers })

/** Both, with all that is needed. Returns the session. */
export const logInAgain = async (place: Place, operator: ByPassword): Promise<string> => {
  await letCodesPass(place.shop, operator)
  const { ticket } = requireDone(await logIn(place, operator.name)).body
  return sessionOf(requireDone(await sendCode(place, ticket, codeOf(operator.secret))))
}

type Times = { created_at?: RawBuilder<Date>; last_used_at?: RawBuilder<Date>; proved_at?: RawBuilder<Date> }

export const minutesAgo = (minutes: number): RawBuilder<Date> =>
  sql<Date>`now() - make_interval(mins => ${minutes})`

/** As if an operator's sessions had been begun, used and proved at other times. */
export const moveSessions = (
  { db }: Pick<TestShop, 'db'>,
  { id }: Pick<TestOperator, 'id'>,
  { created_at, last_used_at, proved_at }: Times,
) =>
  sql`update operator_sessions set created_at = ${created_at ?? sql`created_at`},
    last_used_at = ${last_used_at ?? sql`last_used_at`}, proved_at = ${proved_at ?? sql`proved_at`}
    where operator_id = ${id}`.execute(db)

/** Too long ago to do something dangerous. */
export const letOperatorProofAge = (shop: Pick<TestShop, 'db'>, operator: Pick<TestOperator, 'id'>) =>
  moveSessions(shop, operator, { proved_at: minutesAgo(16) })

/** The second person confirms what was asked for last. */
export const confirmLast = async (
  { ask }: Pick<Place, 'ask'>,
  who: Pick<TestOperator, 'session'>,
): Promise<Reply> => {
  const { body } = await ask(who, 'GET', '/api/v1/second-persons')
  return ask(who, 'POST', `/api/v1/second-persons/${body[0].id}`)
}

/** What the record has of an operator's deeds, the oldest first. */
export const deedsOf = ({ db }: Pick<TestShop, 'db'>, { name }: Pick<TestOperator, 'name'>) =>
  db
    .selectFrom('operator_actions')
    .select(['command', 'subject', 'outcome', 'arguments'])
    .where('who', '=', `${name}@console`)
    .orderBy('at')
    .execute()
