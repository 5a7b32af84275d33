import { formatUkTime } from '@hedgerow/domain/dates'
import { MAILED_EVENTS, type MailedEvent } from '@hedgerow/domain/security-events'
import { findEventToMail, forgetAddress } from '#people/security-events/security-events.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

type Words = {
  heading: string
  /** What it means from now on. */
  means: string
  /** Instead of what one does about a change that someone else made. */
  ifNotYou?: string
}

const WORDS: Readonly<Record<MailedEvent, Words>> = {
  'new-browser': {
    heading: 'New log-in to your account',
    means:
      'Someone logged in to your account from a browser or a network that we have not seen with it before.',
  },
  'second-step-failed': {
    heading: 'Someone has your password',
    means:
      'Someone entered your password and then several wrong codes. They are not in your account: the second step stopped them.',
    ifNotYou: 'If this was not you, someone else knows your password.',
  },
  'ended-by-us': {
    heading: 'We logged you out everywhere',
    means:
      'We ended every session of your account, and every link to your connections. Log in again to continue. If your password no longer works, choose a new one.',
    ifNotYou: 'If you did not expect this, write to us.',
  },
  'second-step-on': {
    heading: 'The second step of your account is on',
    means:
      'From now on, logging in takes a passkey or a code after the password. Every other device was logged out.',
  },
  'second-step-off': {
    heading: 'The second step of your account is off',
    means: 'From now on, your password alone opens your account.',
  },
  'passkey-added': {
    heading: 'A passkey was added to your account',
    means: 'From now on, this passkey opens your account without the password.',
  },
  'passkey-removed': {
    heading: 'A passkey was removed from your account',
    means: 'This passkey no longer opens your account.',
  },
  'passkey-copied': {
    heading: 'One of your passkeys was refused',
    means:
      'One of your passkeys answered in a way that shows it may have been copied. We refused it, and nobody got in with it. Remove that passkey from your account and add a new one.',
  },
  'totp-added': {
    heading: 'An authenticator app was set up for your account',
    means: 'From now on, its codes are a second step for logging in to your account.',
  },
  'totp-removed': {
    heading: 'The authenticator app was removed from your account',
    means: 'Its codes no longer work.',
  },
  'recovery-codes-made': {
    heading: 'New recovery codes were made for your account',
    means: 'The recovery codes you had before no longer work.',
  },
  'recovery-code-used': {
    heading: 'A recovery code was used on your account',
    means:
      'Someone used one of your recovery codes in place of a code from the authenticator app. It will not work again.',
  },
  'data-exported': {
    heading: 'Your data was downloaded',
    means:
      'Someone downloaded all the data in your account. The file holds your details, your payments and the keys of your connections.',
    ifNotYou:
      'If this was not you, someone has the keys of your connections: make new ones for each, and cut off the old ones.',
  },
}

const isMailed = (kind: string): kind is MailedEvent => (MAILED_EVENTS as readonly string[]).includes(kind)

/** To the address that the account had when it happened: what happened, when and from where, and what to do about it. */
export const mailSecurityChange = async ({ db, mailer, settings }: Deps, eventId: string, key: string) => {
  const event = await findEventToMail(db, eventId)
  if (!event?.mail_to || !isMailed(event.kind)) return
  const { brand, publicUrl } = settings
  const {
    heading,
    means,
    ifNotYou = 'If this was not you, someone else may be in your account.',
  } = WORDS[event.kind]
  const isOurs = event.kind === 'ended-by-us'
  const letter = {
    heading,
    paragraphs: [`Hello ${event.name},`, means],
    facts: [
      ['When', formatUkTime(event.last_at)] as const,
      ...(isOurs
        ? []
        : [
            ['Browser', event.browser ?? 'unknown'] as const,
            ['Network', event.network ?? 'unknown'] as const,
          ]),
    ],
    action: isOurs
      ? { label: 'Choose a new password', url: `${publicUrl}/forgot` }
      : { label: 'Check my account', url: `${publicUrl}/profile/security` },
    notes: [
      ...(isOurs ? [] : ['If this was you, there is nothing to do.']),
      isOurs
        ? ifNotYou
        : `${ifNotYou} Choose a new password at ${publicUrl}/forgot, which ends every session. Then look through your passkeys and what happened at ${publicUrl}/profile/security, and write to ${brand.company.email}.`,
    ],
  }
  await mailer.send({ to: event.mail_to, subject: heading, key, ...renderLetter(letter, brand) })
  await forgetAddress(db, eventId)
}
