import {
  type Connection,
  type ConnectionLocation,
  NEW_KEYS_LIMITS,
  type SaveConnectionRequest,
} from '@hedgerow/contract/connections'
import { CUT_OFFS_A_DAY } from '@hedgerow/domain/connections'
import { DAY_MS } from '@hedgerow/domain/dates'
import { FILE_FORMS } from '@hedgerow/domain/file-form'
import { FILTERS, withSwitched } from '@hedgerow/domain/filters'
import type { KeysEveryDays } from '@hedgerow/domain/key-renewal'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { hasBit, labelsOf } from '@hedgerow/domain/pricing'
import { getCurrentPeer, lockConnection, updateConnection } from '#network/connections/changes.queries.ts'
import { isReadable, presentConnection } from '#network/connections/connections.present.ts'
import { readFileNames } from '#network/connections/connections.queries.ts'
import { getActiveRow, getConnectionRow } from '#network/connections/connections.service.ts'
import { findLacked } from '#network/nodes/capacity.queries.ts'
import { endRenewals, planRenewal } from '#network/nodes/key-renewal.queries.ts'
import { withoutOf } from '#network/nodes/locations.service.ts'
import { touchPeers } from '#network/nodes/peers.ts'
import { replacePeer } from '#network/nodes/replace-peer.ts'
import { listNodesToMoveTo } from '#network/nodes/replacements.queries.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import { keepEvent, recordEvent } from '#people/security-events/security-events.ts'
import { holdAccount, holdSession } from '#people/sessions/hold-session.ts'
import { type Caller, requireProof } from '#people/sessions/recent-proof.ts'
import type { Trx } from '#platform/database/client.ts'
import type { ConnectionRow } from '#platform/database/tables/connections.table.ts'
import type { With } from '#platform/dependencies.ts'
import { refuseTooMany } from '#platform/http/limits/rate-counter.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

type Deps = With<'db' | 'keyCipher' | 'settings'>
type Noting = With<'log' | 'meters'>
type Wanted = NonNullable<SaveConnectionRequest['filters']>

type Switch = (typeof FILTERS)[number]

const refuseSwitches = (refused: readonly Switch[], message: string): Problem =>
  new Problem('invalid', {
    detail: message,
    errors: refused.map(({ wire }) => ({ path: `filters.${wire}`, message })),
  })

/** Which filters are to be on. Throws for one that was not bought. */
const switchFilters = ({ options, filters_on }: ConnectionRow, wanted: Wanted): number => {
  const refused = FILTERS.filter((filter) => wanted[filter.wire] && !hasBit(options, filter))
  if (refused.length > 0) throw refuseSwitches(refused, OUR_MESSAGES.filterNotBought)
  return withSwitched(filters_on, wanted)
}

/** A filter that its node has no names for would say that it is on, and do nothing. */
const requireThere = async (trx: Trx, connectionId: string, switchedOn: number): Promise<void> => {
  const { node_id } = await getCurrentPeer(trx, connectionId)
  const { name, lacked } = await findLacked(trx, node_id, switchedOn)
  const refused = FILTERS.filter((filter) => hasBit(lacked, filter))
  if (refused.length > 0) throw refuseSwitches(refused, OUR_MESSAGES.filterNotHere(name, labelsOf(lacked)))
}

const show = async (deps: Deps, customerId: string, connectionId: string): Promise<Connection> =>
  presentConnection(
    await getConnectionRow(deps, customerId, connectionId),
    deps,
    await readFileNames(deps.db, customerId),
  )

/** Who turns renewals off lets keys that others may have work on: only the owner does. */
const requireOwner = async (
  deps: Deps,
  caller: Caller,
  connectionId: string,
  everyDays: KeysEveryDays | null,
): Promise<void> => {
  const row = await getActiveRow(deps, caller.customerId, connectionId)
  if (everyDays !== null && row.has_own_key) throw new Problem('own-key')
  if (everyDays !== null && !isReadable(row, deps.keyCipher)) throw new Problem('connection-unreadable')
  await requireProof(deps, caller)
}

/** False when it was so before. */
const setRenewal = async (
  trx: Trx,
  row: ConnectionRow,
  everyDays: KeysEveryDays | null,
): Promise<boolean> => {
  if (row.keys_every_days === everyDays) return false
  if (everyDays === null) {
    await endRenewals(trx, row.id)
    return true
  }
  if ((await getCurrentPeer(trx, row.id)).has_own_key) throw new Problem('own-key')
  await updateConnection(trx, row.id, { keys_every_days: everyDays })
  await planRenewal(trx, row.id)
  return true
}

/** Its name, what its file is like, which of its filters are on, of which its node hears at once, and how often its keys are renewed. */
export const saveConnection = async (
  deps: Deps & Noting,
  caller: Caller,
  connectionId: string,
  { name, filters = {}, fileForm, keysEveryDays }: SaveConnectionRequest,
): Promise<Connection> => {
  const { customerId } = caller
  if (keysEveryDays !== undefined) await requireOwner(deps, caller, connectionId, keysEveryDays)
  await deps.db.transaction().execute(async (trx) => {
    if (keysEveryDays !== undefined && !(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    const row = await lockConnection(trx, connectionId)
    if (row?.customer_id !== customerId) throw new Problem('connection-not-found')
    if (!row.is_active) throw new Problem('connection-expired')
    const filters_on = switchFilters(row, filters)
    const isSwitched = filters_on !== row.filters_on
    const switchedOn = filters_on & ~row.filters_on
    if (switchedOn !== 0) await requireThere(trx, connectionId, switchedOn)
    const columns = {
      ...(isSwitched ? { filters_on } : {}),
      ...(name === undefined ? {} : { name }),
      ...(fileForm === undefined ? {} : { file_form: FILE_FORMS.filter((form) => fileForm.includes(form)) }),
    }
    if (Object.keys(columns).length > 0) await updateConnection(trx, connectionId, columns)
    if (isSwitched) await touchPeers(trx, [connectionId])
    if (keysEveryDays !== undefined && (await setRenewal(trx, row, keysEveryDays)))
      await recordEvent({ ...deps, db: trx }, customerId, 'key-renewal-changed')
  })
  return show(deps, customerId, connectionId)
}

/** A customer who did not ask for new keys is to hear of them. A session that ends meanwhile makes none. */
const noted = ({ log, meters }: Noting, caller: Caller, connectionId: string) => ({
  // The event wants the account, and who erases it locks that before its connections.
  before: async (trx: Trx) => {
    if (!(await holdSession(trx, caller))) throw new Problem('not-signed-in')
  },
  also: async (trx: Trx): Promise<void> => {
    await addJob(trx, 'mail-new-keys', { connectionId })
    await recordEvent({ db: trx, log, meters }, caller.customerId, 'new-keys')
  },
})

type Counting = With<'db' | 'rateCounter'>

/**
 * With the password as it is now: a thief who is still signed in has used up what comes with the old one, and with a new
 * one the owner has it all again.
 */
const cutOffCounts = async ({ db }: Counting, customerId: string, connectionId: string) => {
  const password = (await findCustomer(db, customerId))?.password_hash
  const seconds = DAY_MS / 1000
  return [{ name: 'cut-offs', of: `${connectionId} ${password}`, most: CUT_OFFS_A_DAY, seconds }]
}

const newKeysCounts = (customerId: string) =>
  NEW_KEYS_LIMITS.map(({ sharedAs, calls, minutes }) => ({
    name: sharedAs,
    of: customerId,
    most: calls,
    seconds: minutes * 60,
  }))

const countNewKeys = async (
  deps: Counting,
  customerId: string,
  connectionId: string,
  cutOffOld: boolean,
): Promise<void> => {
  const counts = cutOffOld ? await cutOffCounts(deps, customerId, connectionId) : newKeysCounts(customerId)
  await refuseTooMany(deps.rateCounter, counts)
}

export const replaceKeys = async (
  deps: Deps & Counting & Noting,
  caller: Caller,
  connectionId: string,
  { cutOffOld = false, publicKey }: { cutOffOld?: boolean | undefined; publicKey?: string | undefined },
): Promise<Connection> => {
  const { customerId } = caller
  await getActiveRow(deps, customerId, connectionId)
  await requireProof(deps, caller)
  await countNewKeys(deps, customerId, connectionId, cutOffOld)
  await replacePeer(deps, connectionId, undefined, {
    cutOffOld,
    publicKey,
    ...noted(deps, caller, connectionId),
  })
  return show(deps, customerId, connectionId)
}

/**
 * The same at an operator's hand, for keys that cannot be opened any more, or have leaked: the customer is mailed
 * that it was us. Not where the customer keeps the key from us: 'own-key' is thrown, and what replacePeer throws.
 */
export const rekeyConnection = async (
  deps: With<'db' | 'keyCipher'>,
  { id, customerId }: { id: string; customerId: string },
  cutOffOld: boolean,
): Promise<void> => {
  if ((await getConnectionRow(deps, customerId, id)).has_own_key) throw new Problem('own-key')
  await replacePeer(deps, id, undefined, {
    cutOffOld,
    before: (trx) => holdAccount(trx, customerId),
    also: async (trx) => {
      await addJob(trx, 'mail-new-keys', { connectionId: id, byUs: true })
      await keepEvent(trx, customerId, 'new-keys')
    },
  })
}

/** Its own, and those that are up and take new customers, by their names; `without` which of its filters. */
export const listLocations = async (
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  connectionId: string,
): Promise<ConnectionLocation[]> => {
  const row = await getConnectionRow({ db }, customerId, connectionId)
  const { nodes, filtersOn } = await listNodesToMoveTo(db, connectionId)
  const others = nodes.filter(({ id, is_up }) => is_up && id !== row.node_id)
  return [
    {
      _id: row.node_id,
      name: row.node_name,
      isCurrent: true,
      ...(row.obfuscation ? { isObfuscated: true as const } : {}),
    },
    ...others.map(({ id, name, lacked, is_obfuscated }) => ({
      _id: id,
      name,
      isCurrent: false,
      ...(is_obfuscated ? { isObfuscated: true as const } : {}),
      ...withoutOf(lacked & filtersOn),
    })),
  ].sort((one, other) => one.name.localeCompare(other.name, 'en-GB'))
}

/**
 * A key that its customer made stays the same, unless they give another. Throws 'location-not-found' for one that is not among its locations, 'location-current' for its own, and 'location-lacks-filter'.
 */
export const moveConnection = async (
  deps: Deps & Noting,
  caller: Caller,
  connectionId: string,
  { location, publicKey }: { location: string; publicKey?: string | undefined },
): Promise<Connection> => {
  const { customerId } = caller
  await getActiveRow(deps, customerId, connectionId)
  await requireProof(deps, caller)
  const locations = await listLocations(deps, customerId, connectionId)
  if (!locations.some(({ _id }) => _id === location.toLowerCase())) throw new Problem('location-not-found')
  await replacePeer(deps, connectionId, location.toLowerCase(), {
    publicKey,
    keepsOwnKey: true,
    ...noted(deps, caller, connectionId),
  })
  return show(deps, customerId, connectionId)
}
