import type { ConnectionData } from '@hedgerow/contract/account-data'
import type { Connection, SharedConnection } from '@hedgerow/contract/connections'
import { addressesAt, addressesOf, NODE_POSITION } from '@hedgerow/domain/addresses'
import { connectionStatus, KEEPALIVE_SECONDS, LONG_UNUSED_MS } from '@hedgerow/domain/connections'
import { formsFor, inForm } from '@hedgerow/domain/file-form'
import { toWireFilters } from '@hedgerow/domain/filters'
import { fromMask, toWireFeatures } from '@hedgerow/domain/pricing'
import { configFile } from '@hedgerow/wireguard/config-file'
import { openUntil } from '#network/connections/cancellable.ts'
import type {
  ConnectionOfLink,
  ConnectionWithPeer,
  PeerOfConnection,
} from '#network/connections/connections.queries.ts'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { GoodwillRow, RenewalRow } from '#platform/database/tables/connections.table.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'keyCipher' | 'settings'>

/**
 * Everything goes through the tunnel: the only setting that hides what the customer does. The resolver once more by
 * itself: a network that the device is in, such as a hotel's 10.0.0.0/8, has a route of its own, which wins over the rest.
 */
const fullTunnel = (resolver: string) => `0.0.0.0/0, ::/0, ${resolver}/32`

const ownAddress = (
  row: Pick<ConnectionWithPeer, 'ipv4' | 'ipv6' | 'position' | 'ipv6_position'>,
): string => {
  const own = addressesOf(row, row)
  return `${own.ipv4}/32, ${own.ipv6}/128`
}

/** With the private key, which the connection's device needs; no other presenter may open it. */
const openKeys = (row: ConnectionWithPeer, cipher: KeyCipher) => {
  const presharedKey = cipher.decrypt(row.preshared_key_encrypted, row.peer_id)
  if (row.has_own_key) return { clientPrivateKey: '', presharedKey, hasOwnKey: true as const }
  if (!row.private_key_encrypted) throw new Error(`The key of peer ${row.peer_id} is gone`)
  return { clientPrivateKey: cipher.decrypt(row.private_key_encrypted, row.peer_id), presharedKey }
}

/** One connection whose keys do not open must not hide the others, nor the rest of the account. */
const keysOf = (row: ConnectionWithPeer, cipher: KeyCipher) => {
  try {
    return openKeys(row, cipher)
  } catch {
    return undefined
  }
}

const UNREADABLE = { clientPrivateKey: '', presharedKey: '', isUnreadable: true } as const

type FileNames = ReadonlyMap<string, string>

const tunnelOf = (row: ConnectionWithPeer, { settings }: Pick<Deps, 'settings'>, files: FileNames) => {
  const { disguise } = settings
  const resolver = addressesAt(row, NODE_POSITION).ipv4
  const tunnel = {
    address: ownAddress(row),
    dns: resolver,
    serverPublicKey: row.node_public_key,
    allowedIPs: fullTunnel(resolver),
    endpoint: row.endpoint,
    ...(row.second_port === null ? {} : { secondPort: row.second_port }),
    ...(disguise ? { disguiseForApps: disguise } : {}),
    ...(row.obfuscation ? { obfuscation: row.obfuscation } : {}),
  }
  const offered = formsFor(tunnel)
  // On another port it may answer again.
  const fileForm = row.file_form.filter((form) => form === 'second-port' || offered.includes(form))
  return {
    ...tunnel,
    ...(fileForm.length === 0 ? {} : { fileForm }),
    // It was deleted meanwhile.
    fileName: files.get(row.id) ?? 'vpn.conf',
  }
}

/** Nothing where there is none. */
const presentCancellable = ({ cancellable, now }: Pick<ConnectionWithPeer, 'cancellable' | 'now'>) => {
  const open = cancellable.flatMap(({ paymentId, paidAt }) => {
    const until = openUntil(new Date(paidAt), now)
    return until ? [{ paymentId, until: until.toISOString() }] : []
  })
  return open.length > 0 ? { cancellable: open } : {}
}

const presentLastBought = ({ last_bought }: Pick<ConnectionWithPeer, 'last_bought'>) => {
  if (!last_bought) return {}
  const { plan, ...bought } = last_bought
  return { lastBought: { ...bought, ...(plan === null ? {} : { plan }) } }
}

const isLongUnused = ({ is_active, is_connected_today, peer_created_at, now }: ConnectionWithPeer): boolean =>
  is_active && is_connected_today === null && now.getTime() - peer_created_at.getTime() > LONG_UNUSED_MS

/** Both null when there is no link, or none any more. */
const presentLink = ({
  is_shared,
  linked_at,
  link_expires_at,
}: Pick<ConnectionWithPeer, 'is_shared' | 'linked_at' | 'link_expires_at'>) => ({
  sharedAt: (is_shared && linked_at?.toISOString()) || null,
  sharedUntil: (is_shared && link_expires_at?.toISOString()) || null,
})

/** Nothing where there is none. */
const presentFileAddress = (
  row: Pick<ConnectionWithPeer, 'file_address_made_at' | 'file_address_read_at' | 'file_address_reads'>,
) =>
  row.file_address_made_at && {
    fileAddress: {
      createdAt: row.file_address_made_at.toISOString(),
      reads: row.file_address_reads,
      readAt: row.file_address_read_at?.toISOString() ?? null,
    },
  }

/** Nothing where they are only made by hand. */
const presentRenewal = (
  row: Pick<ConnectionWithPeer, 'keys_every_days' | 'keys_renew_on' | 'keys_renewed_at' | 'waits_for_device'>,
) => ({
  ...(row.keys_every_days === null
    ? {}
    : {
        keyRenewal: {
          everyDays: row.keys_every_days,
          nextOn: row.waits_for_device ? null : row.keys_renew_on,
          lastAt: row.keys_renewed_at?.toISOString() ?? null,
        },
      }),
  ...(row.waits_for_device ? { areKeysWaiting: true as const } : {}),
})

export const presentConnection = (row: ConnectionWithPeer, deps: Deps, files: FileNames): Connection => ({
  _id: row.id,
  name: row.name,
  expirationDate: row.expires_at?.toISOString() ?? null,
  ...(keysOf(row, deps.keyCipher) ?? UNREADABLE),
  ...tunnelOf(row, deps, files),
  status: connectionStatus(row.is_active, row.is_connected_today),
  features: toWireFeatures(fromMask(row.options)),
  filters: toWireFilters(row.filters_on),
  location: { _id: row.node_id, name: row.node_name },
  ...(row.instead_of === null ? {} : { insteadOf: row.instead_of }),
  ...(isLongUnused(row) ? { isLongUnused: true as const } : {}),
  ...(row.is_used_twice ? { isUsedTwice: true as const } : {}),
  isRenewable: row.expires_at !== null && row.removed_at === null,
  ...presentLastBought(row),
  ...(row.given_days === null
    ? {}
    : { givenDays: row.given_days.map(({ days, at }) => ({ days, at: new Date(at).toISOString() })) }),
  ...presentLink(row),
  ...presentFileAddress(row),
  ...presentRenewal(row),
  ...presentCancellable(row),
})

/** Its file, in the form that was chosen. */
export const fileOf = ({ fileForm = [], ...connection }: Connection) =>
  configFile(inForm(connection, fileForm), KEEPALIVE_SECONDS, {
    fileName: connection.fileName,
    isForRouterOs: fileForm.includes('routeros'),
  })

/** For the link's holder: nothing else of the connection, and nothing of the account. */
export const presentSharedConnection = (
  row: ConnectionOfLink,
  deps: Deps,
  files: FileNames,
): SharedConnection => {
  // Of an own key there is no link, unless it was made at the very moment.
  const keys = row.is_active && !row.has_own_key ? keysOf(row, deps.keyCipher) : undefined
  return {
    name: row.name,
    expirationDate: row.expires_at?.toISOString() ?? null,
    sharedUntil: row.link_expires_at.toISOString(),
    configuration: keys ? { ...keys, ...tunnelOf(row, deps, files) } : null,
    ...(row.is_active && !keys ? { isUnreadable: true } : {}),
  }
}

/** Whether its configuration can be shown. */
export const isReadable = (row: ConnectionWithPeer, cipher: KeyCipher): boolean =>
  keysOf(row, cipher) !== undefined

/** The same with all else that is held of it, for the file with all data of an account. */
export const presentConnectionData = (
  row: ConnectionWithPeer,
  deps: Deps,
  files: FileNames,
  {
    peers,
    renewals,
    given,
  }: {
    peers: readonly PeerOfConnection[]
    renewals: readonly RenewalRow[]
    given: readonly GoodwillRow[]
  },
): ConnectionData => ({
  ...presentConnection(row, deps, files),
  paymentId: row.payment_id,
  broughtUntil: row.imported_end?.toISOString() ?? null,
  clientPublicKey: row.public_key,
  remindedDays: row.reminded_days,
  endedByHand: row.ended_by_hand.map((ended) => ended.toISOString()),
  linkMailedAt: row.link_mailed_at?.toISOString() ?? null,
  fileAddressMailedAt: row.file_address_mailed_at?.toISOString() ?? null,
  keysToldOn: row.keys_told_on,
  keysMailedAt: row.keys_mailed_at?.toISOString() ?? null,
  keysRemindedAt: row.keys_reminded_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  peers: peers.map((peer) => ({
    _id: peer.id,
    location: peer.node_name,
    publicKey: peer.public_key,
    hasOwnKey: peer.has_own_key,
    address: ownAddress(peer),
    connectedOn: peer.connected_on,
    firstConnectedOn: peer.first_connected_on,
    bytesReceived: Number(peer.bytes_received),
    bytesSent: Number(peer.bytes_sent),
    createdAt: peer.created_at.toISOString(),
    replacedAt: peer.replaced_at?.toISOString() ?? null,
    isKept: peer.is_kept,
    removedAt: peer.removed_at?.toISOString() ?? null,
  })),
  renewals: renewals.map((renewal) => ({
    paymentId: renewal.payment_id,
    days: renewal.days,
    oldEnd: renewal.old_end.toISOString(),
    newEnd: renewal.new_end.toISOString(),
    createdAt: renewal.created_at.toISOString(),
  })),
  given: given.map((one) => ({
    _id: one.id,
    days: one.days,
    reason: one.reason,
    oldEnd: one.old_end.toISOString(),
    newEnd: one.new_end.toISOString(),
    createdAt: one.created_at.toISOString(),
  })),
})
