import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { PASSKEY_NAME_LENGTH } from '@hedgerow/domain/passkeys'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant, optionalLine, Uuid } from './fields.ts'
import { routes } from './routes.ts'

/** No code of ours is longer, with spaces and hyphens. */
const MOST_OF_CODE = 40

/** Of the authenticator app (6 digits), or a recovery code; with whatever spaces and hyphens. */
export const AuthCode = z
  .string(OUR_MESSAGES.codeRequired)
  .check(
    z.trim(),
    z.minLength(1, OUR_MESSAGES.codeRequired),
    z.maxLength(MOST_OF_CODE, OUR_MESSAGES.codeWrong),
  )

/** What `navigator.credentials` is called with, in the JSON of WebAuthn. */
const PasskeyOptions = z.looseObject({ challenge: z.string() })

/** The ticket goes back with the answer: by it the server knows what it asked. */
export const PasskeyQuestion = z.object({ ticket: z.string(), options: PasskeyOptions })
export type PasskeyQuestion = z.infer<typeof PasskeyQuestion>

export const Ticket = z.string().check(z.minLength(1), z.maxLength(200))

/** What the browser answers, in the JSON of WebAuthn. */
const PasskeyCredential = z.looseObject({
  id: z.string().check(z.minLength(1), z.maxLength(2_000)),
  rawId: z.string().check(z.minLength(1), z.maxLength(2_000)),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string() }),
})

export const PasskeyAnswer = z.object({ ticket: Ticket, credential: PasskeyCredential })
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>

/** What its owner calls it; empty: we call it by the browser. */
export const PasskeyName = optionalLine(PASSKEY_NAME_LENGTH)

export const Passkey = z.object({
  _id: z.string(),
  name: z.string(),
  /** It may be on several devices of its owner. */
  isSynced: z.boolean(),
  createdAt: Instant,
  lastUsedAt: z.nullable(Instant),
})
export type Passkey = z.infer<typeof Passkey>

const limits = [
  { calls: 60, minutes: 10, by: 'address' },
  { calls: 30, minutes: 60, by: 'customer', sharedAs: 'passkeys' },
] as const
const ofPasskey = z.object({ passkeyId: Uuid })

export const RenamePasskeyRequest = z.object({ name: PasskeyName })

/** These ask again for the proof of who asks (403, code 'ask-again'). */
export const beginPasskey = endpoint({
  ...routes.beginPasskey,
  access: 'signed-in',
  limits,
  summary: 'What a new passkey is made with',
  schema: { response: { 200: PasskeyQuestion } },
  problems: [403, 409],
})

export const addPasskey = endpoint({
  ...routes.addPasskey,
  access: 'signed-in',
  bodyBytes: 32_768,
  limits,
  summary: 'Add a passkey, by which the account can be opened from now on',
  schema: { body: z.extend(PasskeyAnswer, { name: PasskeyName }), response: { 201: Passkey } },
  problems: [403, 409],
})

export const renamePasskey = endpoint({
  ...routes.renamePasskey,
  access: 'signed-in',
  limits,
  summary: 'Call a passkey otherwise',
  schema: { params: ofPasskey, body: RenamePasskeyRequest, response: { 200: Passkey } },
  problems: [404],
})

export const removePasskey = endpoint({
  ...routes.removePasskey,
  access: 'signed-in',
  limits,
  summary: 'Remove a passkey; without anything left to answer, the second step ends',
  schema: {
    params: ofPasskey,
    // Reported to the browser, which then stops offering it.
    response: { 200: z.object({ credentialId: z.string() }) },
  },
  problems: [403, 404],
})
