import { formatUkTime } from '@hedgerow/domain/dates'
import { FACTOR_TRIAL_DAYS, WAY_BACK_DAYS } from '@hedgerow/domain/second-step'
import { findHolder, saveWayBackLink } from '#people/second-step/second-step.queries.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'

type Deps = With<'db' | 'keyedHash' | 'mailer' | 'settings'>

type WaitWording = { heading: string; subject: string; first: string }

/**
 * The link's token is made when the mail is, so that it stands nowhere else. All mails of one wait carry the same, which its
 * end names. Undefined where there is none any more.
 */
const linkOf = async (deps: Deps, { id, second_step_ends_at: endsAt }: CustomerRow) => {
  if (!endsAt) return undefined
  const token = deps.keyedHash('way back', `${id} ${endsAt.toISOString()}`).toString('base64url')
  const isSaved = await saveWayBackLink(deps.db, id, endsAt, hashToken(token))
  return isSaved ? { url: `${deps.settings.publicUrl}/second-step/${token}`, endsAt } : undefined
}

/** For a wait that was stopped there is nothing to send. */
const mailWait = async (
  deps: Deps,
  customerId: string,
  key: string,
  wordingOf: (endsAt: string) => WaitWording,
) => {
  const customer = await findHolder(deps.db, customerId)
  const link = customer && (await linkOf(deps, customer))
  if (!link) return
  const { brand, publicUrl } = deps.settings
  const endsAt = formatUkTime(link.endsAt)
  const { heading, subject, first } = wordingOf(endsAt)
  const letter = {
    heading,
    paragraphs: [
      `Hello ${customer.name},`,
      first,
      'If this was you, there is nothing to do. You can log in with the password alone after that. Logging in with a passkey, the app or a recovery code before then stops the wait.',
      'If this was not you, keep the second step now. Then choose a new password, because someone knows yours.',
    ],
    action: { label: 'Keep the second step', url: link.url },
    notes: [
      `To choose a new password, open ${publicUrl}/forgot. It does not turn off a second step that is older than ${FACTOR_TRIAL_DAYS} days.`,
    ],
  }
  await deps.mailer.send({ to: customer.email, subject, key, ...renderLetter(letter, brand) })
}

export const mailWayBack = (deps: Deps, customerId: string, key: string) => {
  const { name } = deps.settings.brand
  return mailWait(deps, customerId, key, (endsAt) => ({
    heading: 'Someone said that your device is lost',
    subject: `Your second step at ${name} will be turned off in ${WAY_BACK_DAYS} days`,
    first: `Someone who knows your password at ${name} said that the device for the second step is lost. On ${endsAt} we will turn the second step off and log out every device.`,
  }))
}

export const mailWayBackSoon = (deps: Deps, customerId: string, key: string) => {
  const { name } = deps.settings.brand
  return mailWait(deps, customerId, key, (endsAt) => ({
    heading: 'Your second step will be turned off tomorrow',
    subject: `Your second step at ${name} will be turned off tomorrow`,
    first: `The second step of your account at ${name} was said to be lost, or nothing is left to answer it with. We will turn it off on ${endsAt}, and log out every device.`,
  }))
}

export const mailWayBackEnded = async (deps: Deps, customerId: string, key: string) => {
  const customer = await findHolder(deps.db, customerId)
  if (!customer) return
  const { brand, publicUrl } = deps.settings
  const letter = {
    heading: 'Your second step is off',
    paragraphs: [
      `Hello ${customer.name},`,
      `The ${WAY_BACK_DAYS} days are over, and nobody stopped the wait. The second step of your account at ${brand.name} is off. The authenticator app and the recovery codes no longer work, and every device was logged out. Passkeys still work.`,
      'You can log in with your password, and set up a new app under Security.',
    ],
    action: { label: 'Open Security', url: `${publicUrl}/profile/security` },
    notes: [
      `If this was not you, choose a new password at once at ${publicUrl}/forgot and write to ${brand.company.email}.`,
    ],
  }
  const subject = `Your second step at ${brand.name} is off`
  await deps.mailer.send({ to: customer.email, subject, key, ...renderLetter(letter, brand) })
}
