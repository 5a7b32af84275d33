import { formatDate, formatUkTime } from '@hedgerow/domain/dates'
import { maskedEmail } from '@hedgerow/domain/email-changes'
import {
  findChange,
  isSomebodys,
  setConfirmLink,
  setUndoLink,
  startConfirming,
} from '#people/accounts/email-change.queries.ts'
import { paragraphsOfDropped } from '#people/second-step/drop-new-factors.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { With } from '#platform/dependencies.ts'
import { type Letter, renderLetter } from '#platform/mail/layout.ts'

type Deps = With<'db' | 'keyedHash' | 'mailer' | 'settings'>

/** The link's token is made when the mail is, so that it stands nowhere else; all mails of one change carry the same. */
const tokenOf = ({ keyedHash }: Deps, purpose: 'confirm' | 'undo', changeId: string): string =>
  keyedHash('email change', `${purpose} ${changeId}`).toString('base64url')

const send = (
  { mailer, settings }: Deps,
  { to, key, subject, letter }: { to: string; key: string; subject: string; letter: Letter },
) => mailer.send({ to, subject, key, ...renderLetter(letter, settings.brand) })

const confirmLetter = ({ settings }: Deps, token: string): Letter => ({
  heading: 'Confirm your new email',
  paragraphs: [
    'Hello,',
    `Someone, most likely you, wants to use this address for an account at ${settings.brand.name}. Confirm it, and you log in with this address from then on.`,
  ],
  action: { label: 'Confirm my new email', url: `${settings.publicUrl}/email/confirm/${token}` },
  notes: [
    'The link works once, for 24 hours, and only until you ask for another address.',
    'If this was not you, ignore this email. Nothing happens unless the link is used.',
  ],
})

/** Only the reader of this mailbox learns that there is an account. */
const takenLetter = ({ settings: { brand, publicUrl } }: Deps): Letter => ({
  heading: 'You already have an account',
  paragraphs: [
    'Hello,',
    `Someone, most likely you, wants to use this address for another account at ${brand.name}. An account with this address exists already, so nothing was changed.`,
    'To use the address for the other account, first delete this one or change its email.',
  ],
  action: { label: 'Log in', url: `${publicUrl}/login` },
  notes: ['If this was not you, ignore this email. Your account stays as it is.'],
})

/** To the new address, with the link; or to the holder of an account with it, without one. */
export const mailEmailChange = async (deps: Deps, changeId: string, key: string): Promise<void> => {
  const token = tokenOf(deps, 'confirm', changeId)
  const mail = await deps.db.transaction().execute(async (trx) => {
    const change = await startConfirming(trx, changeId)
    if (!change) return undefined
    const isTaken = await isSomebodys(trx, change.new_email)
    if (!isTaken) await setConfirmLink(trx, changeId, hashToken(token))
    return { to: change.new_email, isTaken }
  })
  if (!mail) return
  const { brand } = deps.settings
  const words = mail.isTaken
    ? { subject: `Your email at ${brand.name} is in use already`, letter: takenLetter(deps) }
    : { subject: `Confirm your new email for ${brand.name}`, letter: confirmLetter(deps, token) }
  await send(deps, { to: mail.to, key, ...words })
}

/** To the new address, unless the account has moved on. */
export const mailEmailChanged = async (deps: Deps, changeId: string, key: string): Promise<void> => {
  const change = await findChange(deps.db, changeId)
  if (!change || change.email !== change.new_email) return
  const { brand, publicUrl } = deps.settings
  const letter = {
    heading: 'This is your email now',
    paragraphs: [
      `Hello ${change.name},`,
      `Your account at ${brand.name} now has this address. Log in with it from now on. Your password and your connections stay as they are.`,
      'We have written to your old address too. The change can be undone from there for 7 days.',
    ],
    action: { label: 'Open my account', url: `${publicUrl}/profile` },
  }
  await send(deps, { to: change.new_email, key, subject: `This is your email at ${brand.name} now`, letter })
}

/** To the address that the account had, with the link that brings it back. */
export const mailEmailLeft = async (deps: Deps, changeId: string, key: string): Promise<void> => {
  const change = await findChange(deps.db, changeId)
  if (!change) return
  const token = tokenOf(deps, 'undo', changeId)
  const left = await setUndoLink(deps.db, changeId, hashToken(token))
  if (!left?.changed_at || !left.undo_until) return
  const { brand, publicUrl } = deps.settings
  const letter = {
    heading: 'Your email was changed',
    paragraphs: [
      `Hello ${change.name},`,
      `The email of your account at ${brand.name} was changed on ${formatUkTime(left.changed_at)}, from this address to ${maskedEmail(left.new_email)}.`,
      'If this was you, there is nothing to do.',
      'If it was not you, someone else has access to your account. Undo the change and choose a new password. Every device is then logged out.',
    ],
    action: { label: 'Undo the change', url: `${publicUrl}/email/undo/${token}` },
    notes: [
      `The link works once, until ${formatDate(left.undo_until)}. After that, write to ${brand.company.email}.`,
    ],
  }
  await send(deps, { to: left.old_email, key, subject: `Your email at ${brand.name} was changed`, letter })
}

/** A change that was undone, if the account is still there. */
const findUndone = async (deps: Deps, changeId: string) => {
  const change = await findChange(deps.db, changeId)
  return change?.ended_at ? change : undefined
}

/** To the address that the account has again. */
export const mailEmailBack = async (
  deps: Deps,
  { changeId, dropped = [] }: { changeId: string; dropped?: readonly string[] },
  key: string,
): Promise<void> => {
  const change = await findUndone(deps, changeId)
  if (!change) return
  const { brand, publicUrl } = deps.settings
  const letter = {
    heading: 'The change of your email was undone',
    paragraphs: [
      `Hello ${change.name},`,
      `Your account at ${brand.name} has this address again, and the password you chose a moment ago. Every device was logged out, and links to your connections have ended.`,
      ...paragraphsOfDropped(dropped, change.second_step_ends_at),
      'Look at what is left under Security. If someone else may have had access to your account, make new keys for each connection too, and cut off the old ones.',
    ],
    action: { label: 'Open Security', url: `${publicUrl}/profile/security` },
    notes: [`If this was not you, write to ${brand.company.email} at once.`],
  }
  const subject = `The change of your email at ${brand.name} was undone`
  await send(deps, { to: change.old_email, key, subject, letter })
}

/** To the address that the account had until then. */
export const mailEmailLost = async (deps: Deps, changeId: string, key: string): Promise<void> => {
  const change = await findUndone(deps, changeId)
  if (!change) return
  const { brand } = deps.settings
  const letter = {
    heading: 'The change to this email was undone',
    paragraphs: [
      'Hello,',
      `The account at ${brand.name} that had this address has its old address again. Someone with access to that mailbox undid the change. This address no longer opens the account.`,
    ],
    notes: [`If the account is yours and this was not you, write to ${brand.company.email} at once.`],
  }
  const subject = `The change of your email at ${brand.name} was undone`
  await send(deps, { to: change.new_email, key, subject, letter })
}
