import { formatDate, formatUkTime, londonDayBegins } from '@hedgerow/domain/dates'
import { listed } from '#network/connections/moved.mails.ts'
import {
  listRenewedSoon,
  listStillUnused,
  listUnmailed,
  markRenewedMailed,
} from '#network/connections/renewed-keys.queries.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'
import type { JobPayloads } from '#platform/queue/add-job.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

type Words = { heading: string; first: string; notes: readonly string[] }

const send = async (
  { db, mailer, settings: { brand, publicUrl } }: Deps,
  customerId: string,
  lines: readonly string[],
  { heading, first, notes }: Words,
  key: string,
): Promise<void> => {
  const customer = await findCustomer(db, customerId)
  if (!customer) return
  const letter = {
    heading,
    paragraphs: [`Hello ${customer.name},`, first],
    quote: listed(lines),
    action: { label: 'Open my connections', url: `${publicUrl}/profile` },
    notes,
  }
  await mailer.send({ to: customer.email, subject: heading, key, ...renderLetter(letter, brand) })
}

const subjectOf = (names: readonly string[]) =>
  names.length === 1 ? `${names[0]}` : `${names.length} of your connections`

const TO_CHANGE = 'To change how often keys are renewed, or to stop it, open Manage on the connection.'

const HOW_A_DEVICE_TAKES_THEM =
  'A device that fetches its file from its address takes the new keys by itself. On any other device, scan the new code or import the new file once.'

/** To the customer, some days before: whose keys are renewed, and when. One email for all. */
export const mailKeysSoon = async (
  deps: Deps,
  { customerId, connectionIds }: JobPayloads['mail-keys-soon'],
  key: string,
): Promise<void> => {
  const soon = await listRenewedSoon(deps.db, connectionIds)
  if (soon.length === 0) return
  const lines = soon.map(({ name, day }) => `${name}: new keys on ${formatDate(londonDayBegins(day))}`)
  const heading = `New keys are coming for ${subjectOf(soon.map(({ name }) => name))}`
  const words = {
    heading,
    first: 'As you chose, we will renew these keys. There is nothing to do before that day:',
    notes: [
      HOW_A_DEVICE_TAKES_THEM,
      'The old keys work until the device connects with the new ones, however long that takes. Nothing is cut off. We will email you again when the new keys are there.',
      TO_CHANGE,
    ],
  }
  await send(deps, customerId, lines, words, key)
}

/** To the customer: keys were renewed, and what each device needs. One email for all since the last. */
export const mailKeysRenewed = async (
  deps: Deps,
  { customerId }: JobPayloads['mail-keys-renewed'],
  key: string,
): Promise<void> => {
  const rows = await listUnmailed(deps.db, customerId)
  if (rows.length === 0) return
  const isOne = rows.length === 1
  const lines = rows.map(({ name, is_waiting, has_file_address }) => {
    if (!is_waiting) return `${name}: its device uses the new keys already`
    return has_file_address
      ? `${name}: a device that fetches its file takes the new keys by itself`
      : `${name}: scan its new code, or import its new file`
  })
  const words = {
    heading: `New keys for ${subjectOf(rows.map(({ name }) => name))}`,
    first: `As you chose, we have renewed the keys of ${isOne ? 'this connection' : 'these connections'}. What you bought stays the same:`,
    notes: [
      ...(rows.some(({ is_waiting }) => is_waiting)
        ? [
            'The old keys work until the device connects with the new ones, so there is no hurry. Then they end. Until then we make no other keys for that connection.',
          ]
        : []),
      'A link or a file address that you shared stays, and gives the new keys.',
      TO_CHANGE,
    ],
  }
  await send(deps, customerId, lines, words, key)
  await markRenewedMailed(deps.db, rows)
}

/** To the customer, once: keys that were renewed have not been used since. Nothing ends by that. */
export const mailKeysUnused = async (
  deps: Deps,
  { customerId, connectionIds }: JobPayloads['mail-keys-unused'],
  key: string,
): Promise<void> => {
  const rows = await listStillUnused(deps.db, connectionIds)
  if (rows.length === 0) return
  const isOne = rows.length === 1
  const words = {
    heading: `${subjectOf(rows.map(({ name }) => name))} still ${isOne ? 'has' : 'have'} old keys`,
    first: `We renewed the keys of ${isOne ? 'this connection' : 'these connections'}, and no device has connected with the new ones yet:`,
    notes: [
      HOW_A_DEVICE_TAKES_THEM,
      'The old keys keep working until then, and we make no others meanwhile. An old file or code that someone else has keeps working too.',
      'If a device is lost, open Manage on the connection, make new keys, and cut the old ones off.',
      TO_CHANGE,
    ],
  }
  const lines = rows.map(({ name, renewed_at }) => `${name}: renewed on ${formatUkTime(renewed_at)}`)
  await send(deps, customerId, lines, words, key)
}
