import * as z from 'zod/mini'
import { LoginReply } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Instant } from './fields.ts'
import { AuthCode, Passkey, PasskeyAnswer, PasskeyQuestion, Ticket } from './passkeys.ts'
import { routes } from './routes.ts'

const Done = z.object({})

/** The second step of a log-in: the ticket that it began with, and one of two answers. */
export const FinishLoginRequest = z
  .object({ ticket: Ticket, code: z.optional(AuthCode), passkey: z.optional(PasskeyAnswer) })
  .check(
    z.refine(
      ({ code, passkey }) => (code === undefined) !== (passkey === undefined),
      'Send one of code and passkey',
    ),
  )
export type FinishLoginRequest = z.infer<typeof FinishLoginRequest>

/** `recoveryCodesLeft` is there when they are few. */
const FinishLoginReply = z.extend(LoginReply, { recoveryCodesLeft: z.optional(z.int()) })
export type FinishLoginReply = z.infer<typeof FinishLoginReply>

export const finishLogin = endpoint({
  ...routes.finishLogin,
  access: 'anyone',
  bodyBytes: 16_384,
  // And by account and network (`people/accounts/second-step-tries.ts`).
  limits: [{ calls: 60, minutes: 10, by: 'address' }],
  summary: 'The second step after the password: a passkey, a code of the app, or a recovery code',
  schema: { body: FinishLoginRequest, response: { 200: FinishLoginReply } },
  problems: [401, 403],
})

export const loginPasskeyOptions = endpoint({
  ...routes.loginPasskeyOptions,
  access: 'anyone',
  limits: [{ calls: 60, minutes: 10, by: 'address' }],
  summary: 'What to ask of a passkey that someone wants to log in with',
  schema: { response: { 200: PasskeyQuestion } },
})

export const loginByPasskey = endpoint({
  ...routes.loginByPasskey,
  access: 'anyone',
  bodyBytes: 16_384,
  limits: [{ calls: 60, minutes: 10, by: 'address' }],
  summary: 'Start a session by a passkey, without a password',
  schema: { body: PasskeyAnswer, response: { 200: LoginReply } },
  problems: [401, 403, 409],
})

export const askForWayBack = endpoint({
  ...routes.askForWayBack,
  access: 'anyone',
  limits: [{ calls: 20, minutes: 10, by: 'address' }],
  summary:
    'Say after the password that the second step is lost: it ends after a waiting time, and mails tell of it',
  schema: { body: z.object({ ticket: Ticket }), response: { 200: z.object({ until: Instant }) } },
  problems: [401],
})

export const stopWayBack = endpoint({
  ...routes.stopWayBack,
  access: 'anyone',
  limits: [{ calls: 20, minutes: 10, by: 'address' }],
  summary: 'Stop that by the mailed link: the second step stays',
  schema: { body: z.object({ token: Ticket }), response: { 200: Done } },
  problems: [400],
})

/** How the account is guarded. */
const Security = z.object({
  /** Since when a log-in takes more than the password. */
  secondStepAt: z.nullable(Instant),
  /** When that ends because someone said it is lost. */
  secondStepEndsAt: z.nullable(Instant),
  totpAt: z.nullable(Instant),
  passkeys: z.array(Passkey),
  /** How many have not been used. */
  recoveryCodes: z.int(),
})
export type Security = z.infer<typeof Security>

const limits = [
  { calls: 120, minutes: 10, by: 'address' },
  { calls: 60, minutes: 60, by: 'customer', sharedAs: 'second step' },
] as const

export const getSecurity = endpoint({
  ...routes.getSecurity,
  access: 'signed-in',
  limits: [{ calls: 300, minutes: 10, by: 'customer' }],
  summary: 'How the account is guarded',
  schema: { response: { 200: Security } },
})

/** Ten, shown only this once; null where those that are there stay. */
const RecoveryCodes = z.object({ recoveryCodes: z.nullable(z.array(z.string())) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** These ask again for the proof of who asks (403, code 'ask-again'). */
export const beginTotp = endpoint({
  ...routes.beginTotp,
  access: 'signed-in',
  limits,
  summary: 'A secret for an authenticator app; it counts from its first code on',
  schema: { response: { 200: z.object({ secret: z.string(), uri: z.string() }) } },
  problems: [403],
})

export const confirmTotp = endpoint({
  ...routes.confirmTotp,
  access: 'signed-in',
  limits,
  summary: 'The first code of the app: turns the second step on',
  schema: { body: z.object({ code: AuthCode }), response: { 200: RecoveryCodes } },
  problems: [403, 409],
})

export const removeTotp = endpoint({
  ...routes.removeTotp,
  access: 'signed-in',
  limits,
  summary: 'Remove the authenticator app; without anything left to answer, the second step ends',
  schema: { response: { 200: Done } },
  problems: [403],
})

export const switchSecondStep = endpoint({
  ...routes.switchSecondStep,
  access: 'signed-in',
  limits,
  summary: 'Ask for a passkey or a code after the password, or no more',
  schema: { body: z.object({ isOn: z.boolean() }), response: { 200: RecoveryCodes } },
  problems: [403, 409],
})

export const newRecoveryCodes = endpoint({
  ...routes.newRecoveryCodes,
  access: 'signed-in',
  limits,
  summary: 'Ten new recovery codes in the place of the old ones',
  schema: { response: { 201: RecoveryCodes } },
  problems: [403, 409],
})

export const keepSecondStep = endpoint({
  ...routes.keepSecondStep,
  access: 'signed-in',
  limits,
  summary: 'Stop the waiting time after which the second step would end',
  schema: { response: { 200: Done } },
})
