import { formatDateTime } from '@hedgerow/domain/dates'
import { counted } from '@hedgerow/domain/order-description'
import { SECURITY_EVENT_DAYS, wordsOfEvent } from '@hedgerow/domain/security-events'
import type { Command } from 'commander'
import { type AccountActivity, getAccountActivity, logOutEverywhere } from '#desk/backoffice/guard-account.ts'
import { presentActivity } from '#desk/presentation/present-activity.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, opens } from '#desk/tool/classes.ts'
import { accountOf } from '#desk/tool/find-account.ts'
import { JSON_OPTION, readCount, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, saySection } from '#desk/tool/print.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

const WHO = 'the email address or id of the account'
const SHOWN = 20

const time = (at: Date | null) => (at ? formatDateTime(at) : '')

const since = (at: Date | null) => (at ? `since ${time(at)}` : 'off')

const secondStep = ({ second_step_at, second_step_ends_at }: AccountActivity['guard']): string =>
  second_step_ends_at
    ? `${since(second_step_at)}; said to be lost, ends ${time(second_step_ends_at)}`
    : since(second_step_at)

const sayActivity = (
  email: string,
  { guard, passkeys, sessions, events }: AccountActivity,
  limit: number,
) => {
  sayFacts([
    ['Email', email],
    ['Second step', secondStep(guard)],
    ['Authenticator app', since(guard.totp_at)],
    ['Recovery codes', `${guard.recovery_codes} unused`],
    ['Passkeys', String(passkeys.length)],
    ['Sessions', String(sessions.length)],
  ])
  saySection(
    {
      title: 'Passkeys',
      heads: ['name', 'added', 'last used', 'synced'],
      rows: passkeys.map((row) => [
        row.name,
        time(row.created_at),
        time(row.last_used_at),
        row.is_synced ? 'yes' : 'no',
      ]),
    },
    passkeys.length,
  )
  saySection(
    {
      title: 'Sessions',
      heads: ['since', 'last used', 'browser', 'network'],
      rows: sessions.map((row) => [
        time(row.created_at),
        time(row.last_used_at),
        row.browser ?? '',
        row.network ?? '',
      ]),
    },
    sessions.length,
  )
  saySection(
    {
      title: `Activity of the last ${SECURITY_EVENT_DAYS} days`,
      heads: ['time', 'what', 'times', 'browser', 'network'],
      rows: events.map((row) => [
        time(row.last_at),
        wordsOfEvent(row.kind),
        String(row.times),
        row.browser ?? '',
        row.network ?? '',
      ]),
    },
    limit,
  )
}

const activity = (who: string, { limit, json }: { limit: number; json?: true }) =>
  withDatabase(async (db) => {
    const { id, email } = await accountOf(db, who)
    const found = await getAccountActivity({ db }, id, limit)
    return json
      ? sayJson({ customerId: id, ...presentActivity(found, limit) })
      : sayActivity(email, found, limit)
  })

type LogOut = { newPassword?: true; withoutSecondStep?: true; yes?: true; json?: true }

const logOut = (who: string, { newPassword, withoutSecondStep, yes, json }: LogOut) =>
  withDatabase(async (db) => {
    const { id, email } = await accountOf(db, who)
    await ask(
      [
        `Log ${email} out everywhere, and end the links to its connections?`,
        ...(newPassword
          ? ['The password stops working: only a link mailed to this address sets another.']
          : []),
        ...(withoutSecondStep ? ['The second step ends, and every passkey is removed.'] : []),
      ].join(' '),
      yes,
    )
    const wish = { endsPassword: newPassword, endsSecondStep: withoutSecondStep }
    const sessions = await logOutEverywhere({ db }, id, wish)
    if (json) return sayJson({ outcome: 'logged-out', customerId: id, sessions })
    say(`${counted(sessions, 'session')} ended, and all links. The customer gets a mail that says so.`)
    if (newPassword) say('They choose a new password at /forgot.')
  })

export const addCustomerSecurity = (customer: Command): void => {
  opens(customer.command('activity'))
    .description(
      'How an account is guarded, where it is logged in, and what happened to it. No secret is shown.',
    )
    .argument('<who>', WHO)
    .option('--limit <count>', 'show at most this many events', readCount, SHOWN)
    .addOption(JSON_OPTION)
    .action(activity)
  changes(customer.command('log-out'))
    .description('End every session of an account and every link to its connections, and mail its owner.')
    .argument('<who>', WHO)
    .option('--new-password', 'and make the password useless, so that its owner has to choose another')
    .option('--without-second-step', 'and end the second step, and remove all passkeys: for a thief’s own')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(logOut)
}
