import { plainEmail } from '@hedgerow/domain/mailboxes'
import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import * as z from 'zod/mini'
import { AccountData } from './account-data.ts'
import { Profile } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { newPassword, optionalLine, personName, printedLine } from './fields.ts'
import { routes } from './routes.ts'

/** What the account's holder may change (spec §7). Everything else that a client sends back is left as it is. */
export const ProfileFields = z.object({
  name: personName(MESSAGES.nameShort, MESSAGES.nameShort),
  firstName: printedLine(100),
  lastName: printedLine(100),
  phone: optionalLine(32).check(z.regex(/^[\d\s+\-./()]*$/, OUR_MESSAGES.phone)),
  addressCountry: printedLine(100),
  addressCity: printedLine(100),
  addressZip: printedLine(20),
  addressString: printedLine(200),
})
export type ProfileFields = z.infer<typeof ProfileFields>

const LARGEST_INTEGER = 2_147_483_647

/** A field that is left out stays as it is; without a version the save is taken as it comes. */
export const SaveProfileRequest = z.extend(z.partial(ProfileFields), {
  version: z.optional(z.int().check(z.gte(1), z.lte(LARGEST_INTEGER))),
})
export type SaveProfileRequest = z.infer<typeof SaveProfileRequest>

export const ChangePasswordRequest = z.object({
  /** The old one. */
  password: z
    .string(OUR_MESSAGES.oldPasswordRequired)
    .check(z.minLength(1, OUR_MESSAGES.oldPasswordRequired)),
  newPassword: newPassword(MESSAGES.newPasswordShort, MESSAGES.newPasswordShort),
})

/** The account's own e-mail, typed once more, and its password. */
export const EraseAccountRequest = z.object({
  email: z
    .string(OUR_MESSAGES.emailToErase)
    .check(z.overwrite(plainEmail), z.minLength(1, OUR_MESSAGES.emailToErase)),
  password: z.string(OUR_MESSAGES.passwordToErase).check(z.minLength(1, OUR_MESSAGES.passwordToErase)),
})

export const saveProfile = endpoint({
  ...routes.saveProfile,
  access: 'signed-in',
  limits: [
    { calls: 300, minutes: 10, by: 'address' },
    { calls: 600, minutes: 60, by: 'customer' },
  ],
  summary: 'Change name, names, phone and address; an older save never overwrites a newer one',
  schema: { body: SaveProfileRequest, response: { 200: Profile } },
  problems: [409],
})

export const changePassword = endpoint({
  ...routes.changePassword,
  access: 'signed-in',
  // And by who tries passwords (`people/accounts/password-tries.ts`).
  limits: [
    { calls: 30, minutes: 10, by: 'address' },
    { calls: 60, minutes: 60, by: 'customer' },
  ],
  summary: 'Choose a new password with the old one; ends every other session',
  schema: { body: ChangePasswordRequest, response: { 200: z.object({}) } },
})

export const exportAccount = endpoint({
  ...routes.exportAccount,
  access: 'signed-in',
  limits: [
    { calls: 20, minutes: 10, by: 'address' },
    { calls: 20, minutes: 60, by: 'customer' },
  ],
  // Two are made at once.
  replyBytes: 32 * 1024 * 1024,
  summary: 'Everything held about the customer, as a file',
  schema: { response: { 200: AccountData } },
})

export const eraseAccount = endpoint({
  ...routes.eraseAccount,
  access: 'signed-in',
  // And by who tries passwords (`people/accounts/password-tries.ts`).
  limits: [
    { calls: 30, minutes: 10, by: 'address' },
    { calls: 60, minutes: 60, by: 'customer' },
  ],
  summary: 'Delete the account and its connections; what was paid is kept for the books, cut from it',
  schema: { body: EraseAccountRequest, response: { 200: z.object({}) } },
  problems: [409],
})
