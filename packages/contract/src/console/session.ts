import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { OPERATOR_ROLES, PERMISSIONS } from '@hedgerow/domain/operator-roles'
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { AuthCode, PasskeyAnswer, PasskeyQuestion, Ticket } from '../passkeys.ts'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const OperatorSession = z.object({
  operator: z.object({
    id: z.string(),
    name: z.string(),
    role: z.enum(OPERATOR_ROLES),
    permissions: z.array(z.enum(PERMISSIONS)),
  }),
  /** When it ends whatever happens. */
  endsAt: Time,
  /** What the shop runs, for whoever reports a fault. */
  version: z.string(),
})
export type OperatorSession = z.infer<typeof OperatorSession>

const limits = [{ calls: 60, minutes: 15, by: 'address' }] as const

/** What is checked is the right one, so that no length is asked of it; more than that no password has. */
const typedPassword = z
  .string(OUR_MESSAGES.chosenPasswordRequired)
  .check(z.minLength(1, OUR_MESSAGES.chosenPasswordRequired), z.maxLength(1_000))

export const OperatorLogIn = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Please enter your name.'), z.maxLength(60)),
  password: typedPassword,
})

export const logInOperator = endpoint({
  ...consoleRoutes.logInOperator,
  access: 'anyone',
  // A known browser is counted by itself, and not by the address that it shares.
  limits: [...limits, { calls: 60, minutes: 15, by: 'field', field: 'name', andAddress: true }],
  summary: 'Log in with a password: the ticket is for the code that comes after it',
  schema: { body: OperatorLogIn, response: { 200: z.object({ ticket: z.string() }) } },
  problems: [401],
})

export const OperatorCode = z.object({ ticket: Ticket, code: AuthCode })

export const finishOperatorLogIn = endpoint({
  ...consoleRoutes.finishOperatorLogIn,
  access: 'anyone',
  limits,
  summary: 'The code of the authenticator app; the answer sets the session’s cookie',
  schema: { body: OperatorCode, response: { 200: OperatorSession } },
  problems: [401],
})

export const operatorPasskeyOptions = endpoint({
  ...consoleRoutes.operatorPasskeyOptions,
  access: 'anyone',
  limits,
  summary: 'What a passkey is asked to log in',
  schema: { response: { 200: PasskeyQuestion } },
})

export const logInByOperatorPasskey = endpoint({
  ...consoleRoutes.logInByOperatorPasskey,
  access: 'anyone',
  bodyBytes: 32_768,
  limits,
  summary: 'Log in by a passkey; the answer sets the session’s cookie',
  schema: { body: PasskeyAnswer, response: { 200: OperatorSession } },
  problems: [401],
})

export const getSso = endpoint({
  ...consoleRoutes.getSso,
  access: 'anyone',
  limits,
  summary: 'Whether operators may log in by single sign-on',
  schema: { response: { 200: z.object({ isOffered: z.boolean() }) } },
})

const Address = z.object({ address: z.string() })

export const beginSso = endpoint({
  ...consoleRoutes.beginSso,
  access: 'anyone',
  limits,
  summary: 'Where a log-in by single sign-on begins; the answer sets the cookie that it comes back with',
  schema: { response: { 200: Address } },
  problems: [404, 503],
})

export const finishSso = endpoint({
  ...consoleRoutes.finishSso,
  access: 'anyone',
  limits,
  summary: 'What the provider sent the browser back with; the answer sets the session’s cookie',
  schema: {
    body: z.object({ query: z.string().check(z.maxLength(8_000)) }),
    response: {
      200: z.object({
        /** 'in'; 'linked' to who was logged in; or a passkey has to be made by an invitation first. */
        outcome: z.enum(['in', 'linked', 'invited']),
        invitation: z.nullable(z.string()),
      }),
    },
  },
  problems: [401, 403, 404, 409, 503],
})

const own = { access: 'operator', permission: 'own', consequence: 'looks', record: 'reads' } as const

export const getOperatorSession = operatorEndpoint({
  ...consoleRoutes.getOperatorSession,
  ...own,
  summary: 'Who is logged in, and what they may do',
  schema: { response: { 200: OperatorSession } },
})

export const logOutOperator = operatorEndpoint({
  ...consoleRoutes.logOutOperator,
  ...own,
  consequence: 'stays',
  summary: 'End this session',
  schema: { response: { 200: z.object({}) } },
})

export const operatorProofOptions = operatorEndpoint({
  ...consoleRoutes.operatorProofOptions,
  ...own,
  consequence: 'stays',
  summary: 'By what the operator can show again who they are',
  schema: {
    response: { 200: z.object({ hasPassword: z.boolean(), passkey: z.nullable(PasskeyQuestion) }) },
  },
})

export const OperatorProof = z.union([z.object({ password: typedPassword, code: AuthCode }), PasskeyAnswer])

export const proveOperator = operatorEndpoint({
  ...consoleRoutes.proveOperator,
  ...own,
  consequence: 'stays',
  bodyBytes: 32_768,
  summary:
    'Show again who is there: by password and code, or by a passkey. The session goes on under another cookie',
  schema: { body: OperatorProof, response: { 200: z.object({}) } },
  problems: [422, 429],
})
