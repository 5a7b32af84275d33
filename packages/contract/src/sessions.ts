import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant, Uuid } from './fields.ts'
import { AuthCode, PasskeyAnswer, PasskeyQuestion } from './passkeys.ts'
import { routes } from './routes.ts'

/** A log-in that lasts. */
export const Session = z.object({
  _id: z.string(),
  /** As people call it, 'Firefox on Android'; null where the program does not say. */
  browser: z.nullable(z.string()),
  /** The /24 or the /48 of the address it was started from. */
  network: z.nullable(z.string()),
  createdAt: Instant,
  /** To the hour. */
  lastUsedAt: Instant,
  /** Unless it is used before. */
  expiresAt: Instant,
  /** The one that asks. */
  isCurrent: z.boolean(),
})
export type Session = z.infer<typeof Session>

/** What happened to the account. */
const SecurityEventReply = z.object({
  _id: z.string(),
  kind: z.string(),
  browser: z.nullable(z.string()),
  network: z.nullable(z.string()),
  /** How often within the hour; above 1 only where a stranger can cause it. */
  times: z.int(),
  at: Instant,
  lastAt: Instant,
})
export type SecurityEventReply = z.infer<typeof SecurityEventReply>

/** By what the owner may prove again who they are. */
export const PROOF_WAYS = ['password', 'passkey', 'code'] as const
export type ProofWay = (typeof PROOF_WAYS)[number]

/** `passkey` there where one can answer; its ticket goes back with the answer. */
const ProofOptions = z.object({
  /** Whose account it is: a password manager is told. */
  email: z.string(),
  ways: z.array(z.enum(PROOF_WAYS)),
  passkey: z.optional(PasskeyQuestion),
})
export type ProofOptions = z.infer<typeof ProofOptions>

export const Proofs = z.object({
  password: z
    .string(OUR_MESSAGES.passwordToErase)
    .check(z.minLength(1, OUR_MESSAGES.passwordToErase), z.maxLength(1_000, OUR_MESSAGES.passwordWrong)),
  /** Of the authenticator app, or a recovery code. */
  code: AuthCode,
  passkey: PasskeyAnswer,
})

/** One of them. */
export const ProveRequest = z
  .partial(Proofs)
  .check(
    z.refine(
      (proofs) => Object.values(proofs).filter((proof) => proof !== undefined).length === 1,
      'Send one of password, code and passkey',
    ),
  )
export type ProveRequest = z.infer<typeof ProveRequest>

/** The session goes on by this token, and the one that was sent has ended. */
const ProveReply = z.object({ access_token: z.string() })

const Done = z.object({})
const limits = [{ calls: 120, minutes: 10, by: 'customer' }] as const

export const listSessions = endpoint({
  ...routes.listSessions,
  access: 'signed-in',
  limits,
  summary: 'Where the account is logged in',
  schema: { response: { 200: z.array(Session) } },
})

export const endSession = endpoint({
  ...routes.endSession,
  access: 'signed-in',
  limits,
  summary: 'End one session',
  schema: { params: z.object({ sessionId: Uuid }), response: { 200: Done } },
  problems: [403, 404],
})

export const endOtherSessions = endpoint({
  ...routes.endOtherSessions,
  access: 'signed-in',
  limits,
  summary: 'End every session but this one',
  schema: { response: { 200: Done } },
  problems: [403],
})

export const listSecurityEvents = endpoint({
  ...routes.listSecurityEvents,
  access: 'signed-in',
  limits,
  summary: 'What happened to the account in the last 90 days, the newest first',
  schema: {
    querystring: z.object({ before: z.optional(z.string().check(z.regex(/^\d{1,18}$/))) }),
    response: { 200: z.object({ events: z.array(SecurityEventReply), hasMore: z.boolean() }) },
  },
})

export const proofOptions = endpoint({
  ...routes.proofOptions,
  access: 'signed-in',
  limits,
  summary: 'How the owner can prove again who they are',
  schema: { response: { 200: ProofOptions } },
})

export const prove = endpoint({
  ...routes.prove,
  access: 'signed-in',
  bodyBytes: 16_384,
  // And by who tries passwords (`people/accounts/password-tries.ts`).
  limits: [{ calls: 60, minutes: 10, by: 'address' }],
  summary: 'Prove again who is asking; for 15 minutes nothing asks again',
  schema: { body: ProveRequest, response: { 200: ProveReply } },
  problems: [403],
})
