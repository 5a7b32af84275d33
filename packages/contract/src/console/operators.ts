import { OPERATOR_ROLES, type OperatorRole, PERMISSIONS, ROLE_WORDS } from '@hedgerow/domain/operator-roles'
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { newPassword, Uuid } from '../fields.ts'
import { AuthCode, PasskeyAnswer, PasskeyName, PasskeyQuestion, Ticket } from '../passkeys.ts'
import { columnsOf } from './columns.ts'
import { bodyOf, choice, text } from './fields.ts'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const OPERATOR_NAME_LENGTH = 60

/** Unique, and shown wherever something was done. No '@': the record tells by it what did it. */
export const OperatorName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Please enter a name.'),
    z.maxLength(OPERATOR_NAME_LENGTH, `A name has ${OPERATOR_NAME_LENGTH} characters at most.`),
    z.regex(/^[^@\p{C}]+$/u, 'A name has no @ and no control characters.'),
  )

const Role = z.enum(OPERATOR_ROLES, 'Please choose a role.')
const ofOperator = z.object({ operatorId: Uuid })

export const Operator = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(OPERATOR_ROLES),
  createdAt: Time,
  /** They get in no more. */
  endedAt: z.nullable(Time),
  lastSeenAt: z.nullable(Time),
  passkeys: z.int(),
  hasPassword: z.boolean(),
  sessions: z.int(),
  tokens: z.int(),
  /** Until when the link that they were given works, where they have not used it. */
  invitedUntil: z.nullable(Time),
})
export type Operator = z.infer<typeof Operator>

const operatorColumns = columnsOf<Operator>([
  { name: 'name', title: 'Name', kind: 'text' },
  { name: 'role', title: 'Role', kind: 'word' },
  { name: 'passkeys', title: 'Passkeys', kind: 'word' },
  { name: 'hasPassword', title: 'Password and app', kind: 'yes' },
  { name: 'invitedUntil', title: 'Invited until', kind: 'time' },
  { name: 'lastSeenAt', title: 'Last seen', kind: 'time' },
  { name: 'endedAt', title: 'Ended', kind: 'time' },
])

export const listOperators = operatorEndpoint({
  ...consoleRoutes.listOperators,
  access: 'operator',
  permission: 'operators.see',
  consequence: 'looks',
  record: 'reads',
  command: 'operator list',
  columns: operatorColumns,
  summary: 'Who runs the shop in a browser, or did',
  schema: { response: { 200: z.array(Operator) } },
})

export const Invitation = z.object({
  id: z.string(),
  /** Told once. Whoever has it becomes the operator, so it goes to them and nobody else. */
  link: z.string(),
  expiresAt: Time,
})

const role = {
  ...choice(
    'Role',
    OPERATOR_ROLES.map((one) => [one, ROLE_WORDS[one]] as const) as [
      readonly [OperatorRole, string],
      ...(readonly [OperatorRole, string])[],
    ],
  ),
  schema: Role,
}
const inviteFields = {
  name: text('Name', OperatorName, { hint: 'As the record and customers’ conversations know them' }),
  role,
}
const LINK_IS_SECRET = 'The link works once, and is shown this once: give it to them and nobody else'

export const inviteOperator = operatorEndpoint({
  ...consoleRoutes.inviteOperator,
  access: 'operator',
  permission: 'operators.change',
  consequence: 'access',
  record: { changes: 'operator invite', keeps: ['role'] },
  summary: 'Invite an operator to the console by a link, with which they set up how they get in',
  fields: inviteFields,
  done: LINK_IS_SECRET,
  schema: { body: bodyOf(inviteFields), response: { 201: Invitation } },
  problems: [409],
})

export const relinkOperator = operatorEndpoint({
  ...consoleRoutes.relinkOperator,
  access: 'operator',
  permission: 'operators.change',
  consequence: 'access',
  record: { changes: 'operator link', subject: 'operatorId' },
  summary:
    'A new link for an operator who has lost what they get in by: what they had opens nothing any more',
  asks: 'Give them a new link? Passkeys, password, sessions and tokens of theirs end at once.',
  done: LINK_IS_SECRET,
  schema: { params: ofOperator, response: { 201: Invitation } },
  problems: [404, 409],
})

export const setOperatorRole = operatorEndpoint({
  ...consoleRoutes.setOperatorRole,
  access: 'operator',
  permission: 'operators.change',
  consequence: 'access',
  record: { changes: 'operator role', subject: 'operatorId', keeps: ['role'] },
  summary: 'Give an operator another role, from their next call on',
  fields: { role },
  done: 'It holds from their next call on',
  schema: { params: ofOperator, body: bodyOf({ role }), response: { 200: z.object({}) } },
  problems: [404, 409],
})

export const endOperator = operatorEndpoint({
  ...consoleRoutes.endOperator,
  access: 'operator',
  permission: 'operators.change',
  consequence: 'access',
  record: { changes: 'operator end', subject: 'operatorId' },
  summary: 'An operator gets in no more: sessions and tokens end at once. The name stays in the record',
  asks: 'Do they get in no more? Their name stays in the record.',
  done: 'They get in no more',
  schema: { params: ofOperator, response: { 200: z.object({}) } },
  problems: [404, 409],
})

const limits = [{ calls: 60, minutes: 15, by: 'address' }] as const
const InvitationToken = z.string().check(z.minLength(20), z.maxLength(200))

export const App = z.object({
  ticket: z.string(),
  /** Base32, to be typed where no picture can be read. */
  secret: z.string(),
  uri: z.string(),
})

export const openInvitation = endpoint({
  ...consoleRoutes.openInvitation,
  access: 'anyone',
  limits,
  summary: 'Who is invited, and what a way in can be made with',
  schema: {
    body: z.object({ token: InvitationToken }),
    response: {
      200: z.object({
        name: z.string(),
        role: z.enum(OPERATOR_ROLES),
        passkey: PasskeyQuestion,
        app: App,
      }),
    },
  },
  problems: [400],
})

/** As the shop asks of its customers' passwords, and longer. */
export const OPERATOR_PASSWORD_LENGTH = 12
const TOO_SHORT = `Please choose at least ${OPERATOR_PASSWORD_LENGTH} characters.`
export const OperatorPassword = newPassword(TOO_SHORT, TOO_SHORT).check(
  z.minLength(OPERATOR_PASSWORD_LENGTH, TOO_SHORT),
)

export const PasswordAndApp = z.object({ password: OperatorPassword, ticket: Ticket, code: AuthCode })
export const NamedPasskey = z.extend(PasskeyAnswer, { name: PasskeyName })

export const acceptInvitation = endpoint({
  ...consoleRoutes.acceptInvitation,
  access: 'anyone',
  bodyBytes: 32_768,
  limits,
  summary:
    'Make the first way in: a passkey, or a password and an authenticator app. The answer sets the session’s cookie',
  schema: {
    body: z.object({
      token: InvitationToken,
      passkey: z.optional(NamedPasskey),
      app: z.optional(PasswordAndApp),
    }),
    response: { 200: z.object({}) },
  },
  problems: [400, 409],
})

const own = { access: 'operator', permission: 'own' } as const
const ownChange = (changes: string) => ({ ...own, consequence: 'access', record: { changes } }) as const

export const OperatorPasskey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: Time,
  lastUsedAt: z.nullable(Time),
})

export const OperatorToken = z.object({
  id: z.string(),
  name: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
  createdAt: Time,
  expiresAt: Time,
  lastUsedAt: z.nullable(Time),
})

export const OwnAccount = z.object({
  hasPassword: z.boolean(),
  /** Single sign-on: not set up, to be had, or linked with this operator. */
  sso: z.enum(['off', 'offered', 'linked']),
  passkeys: z.array(OperatorPasskey),
  sessions: z.array(
    z.object({
      id: z.string(),
      isCurrent: z.boolean(),
      browser: z.nullable(z.string()),
      network: z.nullable(z.string()),
      createdAt: Time,
      lastUsedAt: Time,
    }),
  ),
  tokens: z.array(OperatorToken),
})
export type OwnAccount = z.infer<typeof OwnAccount>

export const getOwnAccount = operatorEndpoint({
  ...consoleRoutes.getOwnAccount,
  ...own,
  consequence: 'looks',
  record: 'reads',
  summary: 'How the operator gets in, where they are logged in, and their tokens',
  schema: { response: { 200: OwnAccount } },
})

export const beginOperatorPasskey = operatorEndpoint({
  ...consoleRoutes.beginOperatorPasskey,
  ...own,
  consequence: 'access',
  record: 'reads',
  summary: 'What a new passkey is made with',
  schema: { response: { 200: PasskeyQuestion } },
})

export const addOperatorPasskey = operatorEndpoint({
  ...consoleRoutes.addOperatorPasskey,
  ...ownChange('operator passkey add'),
  bodyBytes: 32_768,
  summary: 'Add a passkey',
  schema: { body: NamedPasskey, response: { 201: z.object({}) } },
  problems: [409],
})

export const removeOperatorPasskey = operatorEndpoint({
  ...consoleRoutes.removeOperatorPasskey,
  ...ownChange('operator passkey remove'),
  summary: 'Remove a passkey; the last way in stays',
  schema: { params: z.object({ passkeyId: Uuid }), response: { 200: z.object({}) } },
  problems: [404, 409],
})

export const beginOperatorApp = operatorEndpoint({
  ...consoleRoutes.beginOperatorApp,
  ...own,
  consequence: 'access',
  record: 'reads',
  summary: 'A secret for an authenticator app',
  schema: { response: { 200: App } },
})

export const setOperatorPassword = operatorEndpoint({
  ...consoleRoutes.setOperatorPassword,
  ...ownChange('operator password'),
  summary: 'A password and an authenticator app, in the place of those before; every other session ends',
  schema: { body: PasswordAndApp, response: { 200: z.object({}) } },
  problems: [409],
})

export const dropOperatorPassword = operatorEndpoint({
  ...consoleRoutes.dropOperatorPassword,
  ...ownChange('operator password drop'),
  summary: 'Get in by passkeys only',
  schema: { response: { 200: z.object({}) } },
  problems: [409],
})

export const endOperatorSession = operatorEndpoint({
  ...consoleRoutes.endOperatorSession,
  ...own,
  consequence: 'stays',
  record: { changes: 'operator session end' },
  summary: 'End one of the operator’s own sessions',
  schema: { params: z.object({ sessionId: Uuid }), response: { 200: z.object({}) } },
  problems: [404],
})

export const MOST_TOKEN_DAYS = 365

export const TokenRequest = z.object({
  name: OperatorName,
  permissions: z
    .array(z.enum(PERMISSIONS))
    .check(z.minLength(1, 'Please choose at least one right.'), z.maxLength(PERMISSIONS.length)),
  days: z
    .int('Please enter a whole number of days.')
    .check(
      z.minimum(1, 'A token lasts a day at least.'),
      z.maximum(MOST_TOKEN_DAYS, `A token lasts ${MOST_TOKEN_DAYS} days at most.`),
    ),
})

export const linkSso = operatorEndpoint({
  ...consoleRoutes.linkSso,
  ...ownChange('operator sso link'),
  summary:
    'Where the operator’s own single sign-on is linked; the answer sets the cookie that it comes back with',
  schema: { response: { 200: z.object({ address: z.string() }) } },
  problems: [404, 503],
})

export const unlinkSso = operatorEndpoint({
  ...consoleRoutes.unlinkSso,
  ...ownChange('operator sso unlink'),
  summary: 'Single sign-on opens the operator’s account no more, unless they came by a group of it',
  schema: { response: { 200: z.object({}) } },
})

export const createOperatorToken = operatorEndpoint({
  ...consoleRoutes.createOperatorToken,
  ...ownChange('operator token add'),
  summary: 'A token for a program: with some of the operator’s rights, and an end. It is shown once',
  schema: { body: TokenRequest, response: { 201: z.object({ id: z.string(), token: z.string() }) } },
  problems: [409],
})

export const endOperatorToken = operatorEndpoint({
  ...consoleRoutes.endOperatorToken,
  ...own,
  consequence: 'stays',
  record: { changes: 'operator token end', subject: 'tokenId' },
  summary: 'A token opens nothing any more',
  schema: { params: z.object({ tokenId: Uuid }), response: { 200: z.object({}) } },
  problems: [404],
})
