import { addressesAt } from '@hedgerow/domain/addresses'
import { formatDateTime } from '@hedgerow/domain/dates'
import { FEATURES, hasBit } from '@hedgerow/domain/pricing'
import { type Command, InvalidArgumentError } from 'commander'
import {
  type ConnectionFacts,
  LISTED_STATUSES,
  type ListedStatus,
  statusOf,
} from '#desk/backoffice/connection-facts.queries.ts'
import {
  type ConnectionReport,
  expireConnection,
  findConnection,
  getConnectionReport,
  revokeConnection,
  searchConnections,
} from '#desk/backoffice/operate-connections.ts'
import { oldKeysUntil, presentConnection, presentReport } from '#desk/presentation/present-connection.ts'
import { whyNotMoved } from '#desk/presentation/why-not-moved.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, opens } from '#desk/tool/classes.ts'
import { nodeNamed } from '#desk/tool/find-node.ts'
import { JSON_OPTION, readCount, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { withKeys } from '#desk/tool/with-keys.ts'
import { rekeyConnection } from '#network/connections/change-connection.ts'
import { moveConnection } from '#network/nodes/remove-node.ts'
import type { Db } from '#platform/database/client.ts'
import { Problem } from '#platform/http/problems.ts'

type Json = { json?: true }
type Sure = Json & { yes?: true }

const LISTED = 200

const readStatus = (text: string): ListedStatus => {
  const status = LISTED_STATUSES.find((one) => one === text.toLowerCase())
  if (!status) throw new InvalidArgumentError(`Expected one of: ${LISTED_STATUSES.join(', ')}.`)
  return status
}

/** Names are for customers to tell their connections apart; `show` has the whole of it. */
const LONGEST_LISTED = 24
const shortName = ({ name }: ConnectionFacts) =>
  name.length > LONGEST_LISTED ? `${name.slice(0, LONGEST_LISTED - 1).trimEnd()}…` : name

const end = ({ expires_at }: ConnectionFacts) => (expires_at ? formatDateTime(expires_at) : 'never')

const connectionWith = async (db: Db, id: string): Promise<ConnectionFacts> => {
  const connection = await findConnection({ db }, id)
  if (!connection) throw new Refusal(`There is no connection ${id}.`)
  return connection
}

type Search = Json & { node?: string; customer?: string; status?: ListedStatus; limit: number }

const list = ({ node, customer, status, limit, json }: Search) =>
  withDatabase(async (db) => {
    const nodeId = node === undefined ? undefined : (await nodeNamed(db, node)).id
    const found = await searchConnections({ db }, { nodeId, email: customer, status }, limit + 1)
    if (!found) throw new Refusal('No account has this email address.')
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ connections: rows.map(presentConnection), hasMore })
    if (rows.length === 0) return say('No connections found.')
    sayTable(
      ['connection', 'name', 'customer', 'node', 'status', 'ends'],
      rows.map((row) => [row.id, shortName(row), row.email ?? '', row.node_name, statusOf(row), end(row)]),
    )
    if (hasMore)
      say(
        `There are more than these ${limit}. Narrow the search by --node, --customer or --status, or raise --limit.`,
      )
  })

const boughtOf = ({ options, filters_on }: ConnectionFacts): string => {
  const all = FEATURES.filter((one) => hasBit(options, one)).map((one) =>
    one.filter ? `${one.filter.list} (${hasBit(filters_on, one) ? 'on' : 'off'})` : one.label.toLowerCase(),
  )
  return all.length > 0 ? all.join(', ') : 'none'
}

const sayLink = ({ linked_at, link_expires_at }: ConnectionFacts): string =>
  linked_at && link_expires_at
    ? `by a link made ${formatDateTime(linked_at)}, which ends ${formatDateTime(link_expires_at)}`
    : 'no'

const sayReport = ({ connection: row, renewals, cancelled }: ConnectionReport): void => {
  const { ipv4, ipv6 } = addressesAt(row, row.position)
  const until = oldKeysUntil(row)
  sayFacts([
    ['Connection', row.id],
    ['Name', row.name],
    ['Status', statusOf(row)],
    ['Ends', end(row)],
    ['Customer', row.email ?? 'erased account'],
    ['Payment', row.payment_id],
    ['Node', row.node_removed_at ? `${row.node_name}, since removed` : row.node_name],
    ['Addresses', `${ipv4}, ${ipv6}`],
    ['Features', boughtOf(row)],
    [
      'Keys',
      `made ${formatDateTime(row.peer_created_at)}${until ? `; older ones work until ${formatDateTime(until)} at the latest` : ''}`,
    ],
    ['Shared', sayLink(row)],
    ['Created', formatDateTime(row.created_at)],
    ...row.ended_by_hand.map((ended) => ['Ended by hand', formatDateTime(ended)] as const),
    ...cancelled.map(
      ({ payment_id, cancelled_at }) =>
        ['Cancelled', `payment ${payment_id}, ${formatDateTime(cancelled_at)}`] as const,
    ),
    ...renewals.map(
      ({ days, new_end, payment_id }) =>
        ['Extended', `by ${days} days to ${formatDateTime(new_end)}, payment ${payment_id}`] as const,
    ),
  ])
}

const show = (id: string, { json }: Json) =>
  withDatabase(async (db) => {
    const report = await getConnectionReport({ db }, id)
    if (!report) throw new Refusal(`There is no connection ${id}.`)
    return json ? sayJson(presentReport(report)) : sayReport(report)
  })

/** Says how it stands now, whether it was so before or not. */
const tell = async (db: Db, id: string, isChanged: boolean, words: string, json: boolean | undefined) => {
  if (json) return sayJson({ isChanged, connection: presentConnection(await connectionWith(db, id)) })
  say(words)
}

const nameOf = ({ name, email }: ConnectionFacts) => `${name} of ${email ?? 'an erased account'}`

const expire = (id: string, { yes, json }: Sure) =>
  withDatabase(async (db) => {
    const row = await connectionWith(db, id)
    const status = statusOf(row)
    const hasEnded = status === 'expired' || status === 'cut-off'
    if (!hasEnded)
      await ask(
        `End ${nameOf(row)} now? It would otherwise ${row.expires_at ? `end ${end(row)}` : 'never end'}.`,
        yes,
      )
    const isChanged = !hasEnded && (await expireConnection({ db }, id))
    const words = isChanged
      ? 'has ended. Its devices see the page that says so, and the customer can extend it.'
      : 'had already ended.'
    return tell(db, id, isChanged, `${nameOf(row)} ${words}`, json)
  })

const revoke = (id: string, { yes, json }: Sure) =>
  withDatabase(async (db) => {
    const row = await connectionWith(db, id)
    const isThere = row.removed_at === null
    if (isThere)
      await ask(`Revoke ${nameOf(row)}? It is removed from ${row.node_name} at once, for good.`, yes)
    const isChanged = isThere && (await revokeConnection({ db }, id))
    const words = isChanged ? `was removed from ${row.node_name}.` : 'was no longer on any node.'
    return tell(db, id, isChanged, `${nameOf(row)} ${words}`, json)
  })

const move = (id: string, { to, yes, json }: Sure & { to: string }) =>
  withKeys(async ({ db, keyCipher }) => {
    const row = await connectionWith(db, id)
    const target = await nodeNamed(db, to)
    if (row.node_id === target.id) return tell(db, id, false, `${nameOf(row)} is already on ${to}.`, json)
    await ask(
      `Move ${nameOf(row)} to ${to}? It gets new keys there, and the old ones stop working within a day.`,
      yes,
    )
    try {
      await moveConnection({ db, keyCipher }, row, { from: row.node_id, to: target.id })
    } catch (error) {
      const why = error instanceof Problem ? whyNotMoved(to)[error.kind] : undefined
      throw why ? new Refusal(why) : error
    }
    return tell(db, id, true, `${nameOf(row)} is now on ${to}, and the customer gets a mail.`, json)
  })

type Rekey = Sure & { cutOffOld?: boolean }

const WHY_NOT_REKEYED: Partial<Record<Problem['kind'], string>> = {
  'location-full': 'There is no free address for it: make room, or add --cut-off-old.',
  'connection-expired': 'The connection has ended, or changed meanwhile.',
}

const rekey = (id: string, { cutOffOld = false, yes, json }: Rekey) =>
  withKeys(async ({ db, keyCipher }) => {
    const row = await connectionWith(db, id)
    if (row.customer_id === null) throw new Refusal('Its account was erased: nobody could use new keys.')
    const status = statusOf(row)
    if (status === 'expired' || status === 'cut-off') throw new Refusal(`${nameOf(row)} has ended.`)
    await ask(
      `Give ${nameOf(row)} new keys? ${cutOffOld ? 'The old ones stop working at once.' : 'The old ones work until the new are used, for a day at most.'} The customer has to scan its code again.`,
      yes,
    )
    try {
      await rekeyConnection({ db, keyCipher }, { id: row.id, customerId: row.customer_id }, cutOffOld)
    } catch (error) {
      const why = error instanceof Problem ? WHY_NOT_REKEYED[error.kind] : undefined
      throw why ? new Refusal(why) : error
    }
    return tell(db, id, true, `${nameOf(row)} has new keys, and the customer gets a mail.`, json)
  })

const ID = 'the id of the connection'

export const addConnection = (program: Command): void => {
  const connection = program
    .command('connection')
    .summary('customers’ connections')
    .description('The connections that customers have bought. No command shows a key.')
    .helpCommand(false)
  opens(connection.command('list'))
    .description('Connections, newest first.')
    .option('--node <name>', 'on this node')
    .option('--customer <email>', 'of this account')
    .option('--status <status>', `one of: ${LISTED_STATUSES.join(', ')}`, readStatus)
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  opens(connection.command('show'))
    .description('One connection with all its details except its keys.')
    .argument('<id>', ID)
    .addOption(JSON_OPTION)
    .action(show)
  changes(connection.command('expire'))
    .description(
      'End a connection now. Its devices see a page that says why, and the customer can extend it.',
    )
    .argument('<id>', ID)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(expire)
  changes(connection.command('revoke'))
    .description('End a connection now and remove it from its node at once, for good.')
    .argument('<id>', ID)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(revoke)
  changes(connection.command('move'))
    .description('Move a connection to another node, with new keys. The customer gets a mail.')
    .argument('<id>', ID)
    .requiredOption('--to <node>', 'the node to move it to')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(move)
  changes(connection.command('rekey'))
    .description(
      'Give a connection new keys, for instance where the old ones cannot be opened. The customer gets a mail.',
    )
    .argument('<id>', ID)
    .option('--cut-off-old', 'the old keys stop working at once, instead of when the new are used')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(rekey)
}
