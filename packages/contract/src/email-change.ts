import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { email, Instant, newPassword } from './fields.ts'
import { routes } from './routes.ts'

export const EmailChangeRequest = z.object({
  email: email(OUR_MESSAGES.newEmailRequired, MESSAGES.emailInvalid),
})

const MailedToken = z.string().check(z.minLength(1), z.maxLength(200))

/** What has to be chosen with it: the person who changed the address knew the old password. */
export const UndoRequest = z.object({
  token: MailedToken,
  password: newPassword(MESSAGES.newPasswordShort, MESSAGES.newPasswordShort),
})

/** Says the same of an address that someone else has: only its holder learns that. */
const PendingChange = z.object({ email: z.string(), askedAt: Instant, expiresAt: Instant })

/** The newest change, from the address that can undo it. */
const UndoableChange = z.object({ oldEmail: z.string(), changedAt: Instant, undoUntil: Instant })

export const EmailChange = z.object({
  /** What the account has now. */
  email: z.string(),
  pending: z.nullable(PendingChange),
  undoable: z.nullable(UndoableChange),
})
export type EmailChange = z.infer<typeof EmailChange>

/** The address that the account has from now on. */
const EmailReply = z.object({ email: z.string() })

const Done = z.object({})
const limits = [{ calls: 120, minutes: 10, by: 'customer' }] as const

export const getEmailChange = endpoint({
  ...routes.getEmailChange,
  access: 'signed-in',
  limits,
  summary: 'The change of the email that waits to be confirmed, and the one that can still be undone',
  schema: { response: { 200: EmailChange } },
})

export const askForEmailChange = endpoint({
  ...routes.askForEmailChange,
  access: 'signed-in',
  // And by how many mails it sends (`people/accounts/email-change.service.ts`).
  limits,
  summary: 'Mail a link to a new address; answers alike whether or not another account has it',
  schema: { body: EmailChangeRequest, response: { 200: Done } },
  problems: [403],
})

export const withdrawEmailChange = endpoint({
  ...routes.withdrawEmailChange,
  access: 'signed-in',
  limits,
  summary: 'Withdraw the change that waits to be confirmed; its link ends',
  schema: { response: { 200: Done } },
})

export const confirmEmailChange = endpoint({
  ...routes.confirmEmailChange,
  access: 'anyone',
  limits: [{ calls: 60, minutes: 10, by: 'address' }],
  summary: 'Make the new address the one of the account, by the link that was mailed to it',
  schema: { body: z.object({ token: MailedToken }), response: { 200: EmailReply } },
  problems: [400, 409],
})

export const undoEmailChange = endpoint({
  ...routes.undoEmailChange,
  access: 'anyone',
  limits: [{ calls: 20, minutes: 10, by: 'address' }],
  summary: 'Undo a change by the link mailed to the old address, with a new password; ends every session',
  schema: { body: UndoRequest, response: { 200: EmailReply } },
  problems: [400, 409],
})
