import { spellingOf } from '@hedgerow/domain/mailboxes'
import { insertLink } from '#people/accounts/accounts.queries.ts'
import { findCustomer, holdCustomer } from '#people/accounts/customers.ts'
import { paragraphsOfDropped, paragraphsOfNew } from '#people/second-step/drop-new-factors.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { LinkPurpose } from '#platform/database/tables/accounts.table.ts'
import type { With } from '#platform/dependencies.ts'
import type { RateCount } from '#platform/http/limits/rate-counter.ts'
import { takeRoom } from '#platform/mail/bounded-mailer.ts'
import { renderLetter } from '#platform/mail/layout.ts'

type Deps = With<'db' | 'keyedHash' | 'mailer' | 'meters' | 'rateCounter' | 'settings'>

const CONFIRM_HOURS = 24
const RESET_HOURS = 1

/** The link's token is made when the mail is, so that it stands nowhere else; a mail that is sent twice has one link. */
const tokenOf = ({ keyedHash }: Deps, purpose: LinkPurpose, key: string): string =>
  keyedHash('account link', `${purpose} ${key}`).toString('base64url')

const HOUR_S = 3_600
const DAY_S = 86_400

/**
 * Sends a link, unless its mailbox has confirmed nothing and has had enough of them: strangers can open many accounts with
 * addresses that all lead there. Each link that it has works, so one more would say nothing new. What was not sent, because
 * the mail server is away or the mail has to wait, does not count.
 */
const unlessEnough = async (
  { rateCounter }: Deps,
  { email, confirmed_at }: { email: string; confirmed_at: Date | null },
  send: () => Promise<void>,
): Promise<void> => {
  if (confirmed_at) return send()
  const of = spellingOf(email)
  const counted: RateCount[] = []
  try {
    for (const count of [
      { name: 'links to a mailbox an hour', of, most: 10, seconds: HOUR_S },
      { name: 'links to a mailbox a day', of, most: 30, seconds: DAY_S },
    ]) {
      if ((await rateCounter.count(count)) !== undefined) return
      counted.push(count)
    }
    await send()
  } catch (error) {
    for (const count of counted) await rateCounter.giveBack(count)
    throw error
  }
}

/**
 * For someone who does not exist, or has confirmed, there is nothing to send. Until then the name may be what a stranger
 * wants to say to the reader of the mail: no one is greeted by it.
 */
export const mailConfirmation = async (deps: Deps, customerId: string, key: string) => {
  const { db, mailer, settings } = deps
  const customer = await findCustomer(db, customerId)
  if (!customer || customer.confirmed_at) return
  const token = tokenOf(deps, 'confirm', key)
  const { brand, publicUrl } = settings
  const letter = {
    heading: 'Confirm your email',
    paragraphs: [
      'Hello,',
      `You opened an account at ${brand.name} with this address. Confirm it to buy your connections.`,
    ],
    action: { label: 'Confirm my email', url: `${publicUrl}/confirm/${token}` },
    notes: [
      'The link works once, for 24 hours.',
      'If this was not you, ignore this email. Nothing happens unless the link is used.',
    ],
  }
  const subject = `Confirm your email for ${brand.name}`
  await unlessEnough(deps, customer, async () => {
    await insertLink(db, hashToken(token), customer.id, 'confirm', CONFIRM_HOURS)
    await mailer.send({ to: customer.email, subject, key, ...renderLetter(letter, brand) })
  })
}

const sendReset = async (deps: Deps, customerId: string, key: string) => {
  const { db, mailer, settings } = deps
  const token = tokenOf(deps, 'reset', key)
  const tokenHash = hashToken(token)
  const customer = await db.transaction().execute(async (trx) => {
    // A change of the address ends the links that are there: none is made meanwhile for the old one.
    const held = await holdCustomer(trx, customerId)
    if (!held) return undefined
    await insertLink(trx, tokenHash, held.id, 'reset', RESET_HOURS)
    return held
  })
  if (!customer) return
  const { brand, publicUrl } = settings
  const letter = {
    heading: 'Choose a new password',
    paragraphs: [
      customer.confirmed_at ? `Hello ${customer.name},` : 'Hello,',
      `Someone, most likely you, requested a new password at ${brand.name}.`,
    ],
    action: { label: 'Choose a new password', url: `${publicUrl}/reset/${token}` },
    notes: [
      'The link works for one hour, until you have chosen a password.',
      'If this was not you, ignore this email. Your password stays as it is.',
    ],
  }
  const subject = `Choose a new password for ${brand.name}`
  await mailer.send({ to: customer.email, subject, key, ...renderLetter(letter, brand) })
}

/**
 * For someone who does not exist there is nothing to send. A confirmed mailbox gets its link whatever strangers have mailed to
 * others: how often it is asked for is bounded by account.
 */
export const mailReset = async (deps: Deps, customerId: string, key: string) => {
  const found = await findCustomer(deps.db, customerId)
  if (!found) return
  await unlessEnough(deps, found, async () => {
    if (!found.confirmed_at) await takeRoom(deps, 'mail-confirmation')
    await sendReset(deps, customerId, key)
  })
}

export const mailPasswordChanged = async (
  { db, mailer, settings }: Deps,
  { customerId, dropped = [] }: { customerId: string; dropped?: readonly string[] },
  key: string,
) => {
  const customer = await findCustomer(db, customerId)
  if (!customer) return
  const { brand, publicUrl } = settings
  const letter = {
    heading: 'Your password was changed',
    paragraphs: [
      `Hello ${customer.name},`,
      `The password of your account at ${brand.name} was changed a moment ago. Every other device was logged out, and links to your connections have ended.`,
      ...paragraphsOfDropped(dropped, customer.second_step_ends_at),
      ...(await paragraphsOfNew({ db, settings }, customerId)),
      'If someone else may have had access to your account, make new keys for each connection and cut off the old ones: open Manage on the connection.',
    ],
    action: { label: 'Open my connections', url: `${publicUrl}/profile` },
    notes: [
      `If this was not you, choose a new password at ${publicUrl}/forgot and write to ${brand.company.email}.`,
    ],
  }
  const subject = `Your password at ${brand.name} was changed`
  await mailer.send({ to: customer.email, subject, key, ...renderLetter(letter, brand) })
}
