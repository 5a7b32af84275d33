import { EMAIL, plainEmail } from '@hedgerow/domain/mailboxes'
import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import * as z from 'zod/mini'
import { Connection } from './connections.ts'
import { endpoint } from './endpoint.ts'
import {
  acceptTerms,
  atMost,
  email,
  Instant,
  newPassword,
  Promocode,
  personName,
  RedirectPath,
} from './fields.ts'
import { PasskeyQuestion } from './passkeys.ts'
import { routes } from './routes.ts'

export const LoginRequest = z.object({
  username: z
    .string(MESSAGES.loginRequired)
    .check(z.overwrite(plainEmail), z.minLength(1, MESSAGES.loginRequired)),
  password: z
    .string(MESSAGES.loginPasswordRequired)
    .check(z.minLength(1, MESSAGES.loginPasswordRequired), z.minLength(8, MESSAGES.loginPasswordShort)),
})

export const SignupRequest = z.object({
  name: personName(MESSAGES.nameRequired, MESSAGES.nameShort),
  email: email(MESSAGES.emailRequired, MESSAGES.emailInvalid),
  signupPassword: newPassword(MESSAGES.passwordRequired, MESSAGES.passwordShort),
  acceptTerms,
  /** The code of the customer who sent the newcomer. One that is none of ours must not keep anyone from signing up. */
  referral: z.catch(z.optional(Promocode), undefined),
  /** The page of the shop to which the mailed link leads on. One that is none must not keep anyone from signing up. */
  redirectUrl: RedirectPath,
})

export const ForgotRequest = z.object({
  username: z
    .string(MESSAGES.forgotRequired)
    .check(
      z.overwrite(plainEmail),
      z.minLength(1, MESSAGES.forgotRequired),
      z.minLength(3, MESSAGES.forgotInvalid),
      atMost(254, MESSAGES.forgotInvalid),
      z.regex(EMAIL, MESSAGES.forgotInvalid),
    ),
})

/** `redirectUrl`: the page of the shop to which the log-in with the new password leads on. */
const ForgotPasswordRequest = z.extend(ForgotRequest, { redirectUrl: RedirectPath })

export const ResetRequest = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
  password: newPassword(MESSAGES.newPasswordShort, MESSAGES.newPasswordShort),
})

/** By what someone shows who they are that follow the link of the confirmation mail. */
export const ConfirmProofs = z.object({
  signupSecret: z.string().check(z.minLength(1), z.maxLength(200)),
  password: z
    .string(OUR_MESSAGES.chosenPasswordRequired)
    .check(
      z.minLength(1, OUR_MESSAGES.chosenPasswordRequired),
      z.maxLength(1_000, OUR_MESSAGES.passwordWrong),
    ),
  newPassword: newPassword(MESSAGES.newPasswordShort, MESSAGES.newPasswordShort),
})

/** One of them: the browser that signed up, who knows the password chosen then, or else the owner, who chooses another. */
export const ConfirmRequest = z
  .partial(ConfirmProofs)
  .check(
    z.refine(
      (proofs) => Object.values(proofs).filter((proof) => proof !== undefined).length === 1,
      'Send one of signupSecret, password and newPassword',
    ),
  )
export type ConfirmRequest = z.infer<typeof ConfirmRequest>

/** The account as its holder sees it (spec §3, User profile). */
export const Profile = z.object({
  _id: z.string(),
  name: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  addressCountry: z.string(),
  addressZip: z.string(),
  addressCity: z.string(),
  addressString: z.string(),
  email: z.string(),
  promocode: z.string(),
  /** The first hundred. */
  connections: z.array(Connection),
  /** There where these are not all: the `after` with which the list of connections goes on. */
  nextConnections: z.optional(z.string()),
  /** Counts the saves: sent back with one, it keeps an older from overwriting a newer. */
  version: z.int(),
})
export type Profile = z.infer<typeof Profile>

const SignupReply = z.object({
  email: z.string(),
  /** Confirms the account without the password, together with the mailed link. */
  signupSecret: z.string(),
})

export const LoginReply = z.object({ access_token: z.string(), profile: Profile })
export type LoginReply = z.infer<typeof LoginReply>

/** Where the account has a second step, the password alone starts no session. The ticket lasts ten minutes. */
export const SecondStepNeeded = z.object({
  secondStep: z.object({
    ticket: z.string(),
    /** Whether a code can answer: of the authenticator app, or else a recovery code. */
    hasApp: z.boolean(),
    passkey: z.optional(PasskeyQuestion),
    /** When the second step ends, once it was said to be lost. */
    endsAt: z.nullable(Instant),
  }),
})
export type SecondStepNeeded = z.infer<typeof SecondStepNeeded>

/** `redirectUrl`: where the customer was going when the account was opened. */
const ConfirmReply = z.extend(LoginReply, { redirectUrl: z.optional(z.string()) })

/** Who is to log in with the new password, and where they were going. */
const ResetReply = z.object({ email: z.string(), redirectUrl: z.optional(z.string()) })
export type ResetReply = z.infer<typeof ResetReply>

/** A link to somewhere in the account. A token that is missing or cut short is one that does not work. */
const LookRequest = z.object({
  kind: z.enum(['confirm', 'reset', 'email-confirm', 'email-undo', 'second-step']),
  token: z.string().check(z.maxLength(200)),
})
export type MailedLink = z.infer<typeof LookRequest>

/** Nothing to tell beyond that it was done. */
const Done = z.object({})

/**
 * For calls that mail a link: few from an address, and not many more from all of them. What a stranger asks for is counted
 * by the stranger's address before it counts for the account. The answer does not say so, so that it reveals no account.
 */
const mailLimits = [
  {
    calls: 1,
    minutes: 1,
    by: 'field',
    field: 'username',
    ofMailbox: true,
    andAddress: true,
    isDropped: true,
  },
  {
    calls: 3,
    minutes: 60,
    by: 'field',
    field: 'username',
    ofMailbox: true,
    andAddress: true,
    isDropped: true,
  },
  { calls: 30, minutes: 60, by: 'field', field: 'username', ofMailbox: true, isDropped: true },
] as const

export const signup = endpoint({
  ...routes.signup,
  access: 'anyone',
  limits: [{ calls: 20, minutes: 10, by: 'address' }],
  summary: 'Open an account; a confirmation mail follows',
  schema: { body: SignupRequest, response: { 201: SignupReply } },
  problems: [406],
})

export const confirmAccount = endpoint({
  ...routes.confirmAccount,
  access: 'anyone',
  limits: [{ calls: 60, minutes: 10, by: 'address' }],
  summary: 'Confirm the email by the mailed link and a proof of who chose the password, and log in',
  schema: {
    params: z.object({ token: z.string() }),
    body: ConfirmRequest,
    response: { 200: ConfirmReply },
  },
  problems: [400],
})

export const lookAtLink = endpoint({
  ...routes.lookAtLink,
  access: 'anyone',
  limits: [{ calls: 60, minutes: 10, by: 'address' }],
  summary:
    'Whether a mailed link still works, and for which email, or has done its work; to who holds it, and uses nothing up',
  schema: {
    body: LookRequest,
    response: { 200: z.object({ email: z.optional(z.string()), isDone: z.optional(z.literal(true)) }) },
  },
  problems: [400],
})

export const followOldConfirmLink = endpoint({
  ...routes.followOldConfirmLink,
  access: 'anyone',
  summary: 'Where mails of earlier versions lead; goes to the page of the link, and confirms nothing',
  schema: { params: z.object({ token: z.string() }), response: { 303: z.null() } },
})

export const resendConfirmation = endpoint({
  ...routes.resendConfirmation,
  access: 'anyone',
  limits: [{ calls: 20, minutes: 10, by: 'address' }, ...mailLimits],
  summary: 'Send a new confirmation link, if the account exists and waits for one',
  schema: { body: ForgotRequest, response: { 200: Done } },
})

export const login = endpoint({
  ...routes.login,
  access: 'anyone',
  limits: [
    { calls: 60, minutes: 10, by: 'address' },
    { calls: 10, minutes: 15, by: 'field', field: 'username', andAddress: true },
    // A guesser with many addresses; browsers that logged in to the account before are not counted with them.
    { calls: 300, minutes: 60, by: 'field', field: 'username' },
  ],
  summary: 'Start a session, or ask for the second step of the account',
  schema: { body: LoginRequest, response: { 200: z.union([LoginReply, SecondStepNeeded]) } },
  problems: [401],
})

export const logout = endpoint({
  ...routes.logout,
  access: 'signed-in',
  summary: 'End this session on the server',
  schema: { response: { 200: Done } },
})

export const forgotPassword = endpoint({
  ...routes.forgotPassword,
  access: 'anyone',
  limits: [{ calls: 20, minutes: 10, by: 'address' }, ...mailLimits],
  summary: 'Ask for a link to choose a new password; answers alike whether or not the account exists',
  schema: { body: ForgotPasswordRequest, response: { 200: Done } },
})

export const resetPassword = endpoint({
  ...routes.resetPassword,
  access: 'anyone',
  limits: [{ calls: 20, minutes: 10, by: 'address' }],
  summary: 'Choose a new password with the link that was mailed; ends every session of the account',
  schema: { body: ResetRequest, response: { 200: ResetReply } },
  problems: [400],
})

export const getProfile = endpoint({
  ...routes.getProfile,
  access: 'signed-in',
  summary: 'The account and its connections',
  schema: { response: { 200: Profile } },
})
