import { listMoved } from '#network/connections/moved.queries.ts'
import { listOnNode, type NewFileReason } from '#network/connections/new-files.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

const NAMED_AT_MOST = 20

/** So many lines, and how many more there are. */
export const listed = (lines: readonly string[]): string => {
  const more = lines.length - NAMED_AT_MOST
  return [...lines.slice(0, NAMED_AT_MOST), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

type Row = {
  name: string
  node_name: string
  has_own_key: boolean
  is_obfuscated: boolean
  was_obfuscated?: boolean
}
type Words = { one: string; many: string; note: string }

const SAME = 'What you bought stays the same: the days, the name and the filters.'

const MOVED: Words = {
  one: 'We have moved one of your connections to another server.',
  many: 'We have moved some of your connections to another server.',
  note: `The old configuration on your device stops working within a day, perhaps sooner. ${SAME} Links to the old codes have ended.`,
}

const RENEWED: Readonly<Record<NewFileReason, Words>> = {
  key: {
    one: 'The server of one of your connections was set up again and has a new key.',
    many: 'The server of some of your connections was set up again and has a new key.',
    note: `The old configuration on your device no longer works. ${SAME}`,
  },
  endpoint: {
    one: 'The server of one of your connections has a new address.',
    many: 'The server of some of your connections has a new address.',
    note: `The old configuration on your device works only as long as the server’s old address does. ${SAME}`,
  },
  port: {
    one: 'The server of one of your connections has a new port.',
    many: 'The server of some of your connections has a new port.',
    note: `The old configuration on your device keeps working, so there is no hurry. ${SAME}`,
  },
}

/** The shop has no file for a key that the customer made. */
const OWN_KEYS =
  'Where only you have the key, that stays: open the connection in your profile to see what else to change on the device.'

/** Which app, where it is not the usual one or was not before. */
const appOf = ({ is_obfuscated, was_obfuscated }: Row): string => {
  if (is_obfuscated) return ', for the AmneziaWG app, 2.0.0 or newer'
  return was_obfuscated ? ', for the WireGuard app' : ''
}

const lineOf = (row: Row): string =>
  `${row.name}, now at ${row.node_name}${appOf(row)}${row.has_own_key ? ' (only you have its key)' : ''}`

const send = async (
  { mailer, settings }: Deps,
  customer: { name: string; email: string },
  rows: readonly Row[],
  { one, many, note }: Words,
  key: string,
) => {
  const isOne = rows.length === 1
  const heading = isOne ? 'A new configuration is waiting' : 'New configurations are waiting'
  const letter = {
    heading,
    paragraphs: [
      `Hello ${customer.name},`,
      isOne
        ? `${one} Scan its new code, or import its new file, once on the device that uses it:`
        : `${many} Scan the new code of each, or import its new file, once on the device that uses it:`,
    ],
    quote: listed(rows.map(lineOf)),
    action: { label: 'Open my connections', url: `${settings.publicUrl}/profile` },
    notes: [note, ...(rows.some((row) => row.has_own_key) ? [OWN_KEYS] : [])],
  }
  await mailer.send({ to: customer.email, subject: heading, key, ...renderLetter(letter, settings.brand) })
}

/** To the customer: connections were moved to another node, and their new configurations wait. One mail for all. */
export const mailMoved = async (deps: Deps, customerId: string, key: string) => {
  const customer = await findCustomer(deps.db, customerId)
  const moved = customer ? await listMoved(deps.db, customerId) : []
  if (customer && moved.length > 0) await send(deps, customer, moved, MOVED, key)
}

/** To the customer: a node has changed, and their connections on it have new configurations. One mail for all. */
export const mailNewFiles = async (
  deps: Deps,
  { customerId, nodeId, why }: { customerId: string; nodeId: string; why: NewFileReason },
  key: string,
) => {
  const customer = await findCustomer(deps.db, customerId)
  const renewed = customer ? await listOnNode(deps.db, customerId, nodeId) : []
  if (customer && renewed.length > 0) await send(deps, customer, renewed, RENEWED[why], key)
}
