/**
 * What can happen to an account that its owner wants to know, each with the words of 'Recent activity'. The names are kept
 * in the database, in the log and in metrics: one that is gone from here still has to be read.
 */
export const SECURITY_EVENTS = {
  'log-in': 'Logged in',
  'new-browser': 'Logged in from a new browser',
  'log-in-failed': 'A log-in with a wrong password was refused',
  'second-step-failed': 'A log-in with the right password and a wrong second step was refused',
  'asked-again': 'You confirmed that it is you',
  'ask-again-failed': 'A wrong password or code was refused when we asked again',
  'session-ended': 'A session was ended',
  'sessions-ended': 'All other sessions were ended',
  'ended-by-us': 'We ended every session of the account',
  'password-changed': 'The password was changed',
  'reset-asked': 'A link to choose a new password was requested',
  'password-reset': 'A new password was chosen by a mailed link',
  'second-step-on': 'The second step was turned on',
  'second-step-off': 'The second step was turned off',
  'passkey-added': 'A passkey was added',
  'passkey-removed': 'A passkey was removed',
  'passkey-copied': 'A passkey that may have been copied was refused',
  'totp-added': 'An authenticator app was set up',
  'totp-removed': 'The authenticator app was removed',
  'recovery-codes-made': 'New recovery codes were made',
  'recovery-code-used': 'A recovery code was used',
  'new-factors-removed': 'Passkeys, an app or codes added in the days before were removed',
  'way-back-asked': 'Someone said that the device for the second step is lost',
  'way-back-stopped': 'The wait to turn the second step off was stopped',
  'way-back-ended': 'The second step ended after the wait',
  'email-change-asked': 'A change of the email was requested',
  'email-changed': 'The email was changed',
  'email-change-undone': 'The change of the email was undone',
  'link-made': 'A link to a connection was made',
  'new-keys': 'A connection got new keys',
  'key-renewal-changed': 'How often a connection’s keys are renewed was changed',
  'data-exported': 'All data was downloaded',
  'withdrawal-asked': 'A withdrawal was requested',
  'purchase-cancelled': 'A purchase was cancelled',
} as const

export type SecurityEvent = keyof typeof SECURITY_EVENTS

/** Tries that were refused. */
export const REFUSED_EVENTS = [
  'log-in-failed',
  'second-step-failed',
  'ask-again-failed',
  'passkey-copied',
] as const satisfies readonly SecurityEvent[]

/** What strangers can cause as often as they like: counted, an hour's in one. */
const COUNTED_EVENTS: readonly SecurityEvent[] = [...REFUSED_EVENTS, 'reset-asked']

export const isCounted = (kind: SecurityEvent): boolean => COUNTED_EVENTS.includes(kind)

/**
 * What its owner is mailed of at once. Other changes have mails of their own: the password, keys, links, withdrawals,
 * cancelled purchases, the lost second step, the email.
 */
export const MAILED_EVENTS = [
  'new-browser',
  'second-step-failed',
  'ended-by-us',
  'second-step-on',
  'second-step-off',
  'passkey-added',
  'passkey-removed',
  'passkey-copied',
  'totp-added',
  'totp-removed',
  'recovery-codes-made',
  'recovery-code-used',
  'data-exported',
] as const satisfies readonly SecurityEvent[]
export type MailedEvent = (typeof MAILED_EVENTS)[number]

/** Who has the password may mistype a code: so many wrong ones within an hour are as many as one log-in allows. */
const WRONG_STEPS = 5

/** Whether its owner is mailed, at least of one in an hour. */
export const mayBeMailed = (kind: string): kind is MailedEvent =>
  (MAILED_EVENTS as readonly string[]).includes(kind)

/** Whether its owner is mailed; `times`: the how manieth within the hour. */
export const isMailed = (kind: string, times: number): kind is MailedEvent =>
  mayBeMailed(kind) && times === (kind === 'second-step-failed' ? WRONG_STEPS : 1)

/** For so long they are kept. */
export const SECURITY_EVENT_DAYS = 90

/** In words; one of another version by its name. */
export const wordsOfEvent = (kind: string): string =>
  (SECURITY_EVENTS as Record<string, string>)[kind] ?? kind
