import { randomBytes, randomUUID } from 'node:crypto'
import { nameFromEmail } from '@hedgerow/domain/names'
import type { CheckedFile, CheckedPeer } from '#network/imports/check-peers.ts'
import { endWith, ImportFault } from '#network/imports/found.ts'
import {
  type BroughtPeer,
  countAccounts,
  deleteBrought,
  deleteImport,
  deleteInvited,
  findImportOfNode,
  findTakenKeys,
  insertBrought,
  insertImport,
  insertInvited,
  isEndpointTaken,
  isTakenOver,
  listInvitedOf,
  lockBrought,
  setOwner,
  takePositions,
} from '#network/imports/imports.queries.ts'
import { insertNode } from '#network/nodes/nodes.queries.ts'
import { forgetPeers } from '#network/nodes/peers.ts'
import { removeNode } from '#network/nodes/remove-node.ts'
import { hashPassword } from '#people/passwords/passwords.ts'
import { hashToken, newPromocode, newToken } from '#platform/crypto/tokens.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'

export type Wanted = { nodeName: string; endpoint: string; brandName: string }

/** What would happen. */
export type ImportPlan = {
  file: CheckedFile
  /** The node that an import before this one has made. */
  nodeId: string | undefined
  /** Those that are to be brought; the others are there already. */
  fresh: readonly CheckedPeer[]
  known: number
  accounts: { fresh: number; existing: number }
  /** Connections that wait for an address. */
  withoutEmail: number
}

const emailsOf = (peers: readonly CheckedPeer[]): string[] => [
  ...new Set(peers.flatMap(({ email }) => email ?? [])),
]

/** Where the file's server may go: a new node, or the one that was made for it and still waits. */
const findHome = async (db: Db, { nodeName, endpoint }: Wanted, { serverKey, pool }: CheckedFile) => {
  const node = await findImportOfNode(db, nodeName)
  if (!node) {
    if (await isEndpointTaken(db, endpoint))
      throw new ImportFault([`A node has the endpoint ${endpoint} already.`])
    return undefined
  }
  if (node.import_id === null || node.public_key !== serverKey)
    throw new ImportFault([
      `There is a node ${nodeName} that was not made for this server. Choose another name.`,
    ])
  if (node.ipv4 !== pool.ipv4)
    throw new ImportFault([`The node ${nodeName} was made for ${node.ipv4}, not ${pool.ipv4}.`])
  return node
}

/** Reads only. Throws an ImportFault that names what stands in the way. */
export const planImport = async (
  { db }: With<'db'>,
  file: CheckedFile,
  wanted: Wanted,
): Promise<ImportPlan> => {
  const node = await findHome(db, wanted, file)
  const taken = await findTakenKeys(db, [file.serverKey, ...file.peers.map(({ publicKey }) => publicKey)])
  const faults: string[] = []
  if (taken.some(({ public_key, node_id }) => public_key === file.serverKey && node_id !== node?.id))
    faults.push('A node or a connection of the shop has the server’s key already.')
  const home = new Map(taken.map(({ public_key, node_id }) => [public_key, node_id]))
  for (const { publicKey, where } of file.peers) {
    const holder = home.get(publicKey)
    if (holder !== undefined && holder !== node?.id)
      faults.push(`${where}: a connection of the shop has its public key already, on another node.`)
  }
  const fresh = file.peers.filter(({ publicKey }) => !home.has(publicKey))
  if (node?.taken_over_at && fresh.length > 0)
    faults.push(
      `The node has taken over its server already. ${fresh.length} devices of the file are not there: sell them connections instead.`,
    )
  endWith(faults)
  const emails = emailsOf(fresh)
  const existing = await countAccounts(db, emails)
  return {
    file,
    nodeId: node?.id,
    fresh,
    known: file.peers.length - fresh.length,
    accounts: { existing, fresh: emails.length - existing },
    withoutEmail: fresh.filter(({ email }) => email === null).length,
  }
}

/** An account for each email: one that exists as it is, or a new one with a password that nobody knows. */
const invite = async (trx: Trx, emails: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (emails.length === 0) return new Map()
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
  const invited = emails.map((email) => ({
    id: randomUUID(),
    email,
    name: nameFromEmail(email),
    promocode: newPromocode(),
  }))
  return insertInvited(trx, invited, passwordHash)
}

const UNIQUE_VIOLATION = '23505'

export type Imported = {
  nodeId: string
  brought: number
  /** Of a node that was made. */
  enrolment: { token: string; expiresAt: Date } | undefined
}

/** All of a plan, or nothing. Throws an ImportFault where something has come in between. */
export const runImport = async (
  { db, keyCipher }: With<'db' | 'keyCipher'>,
  { file, nodeId: knownId, fresh }: ImportPlan,
  { nodeName, endpoint, brandName }: Wanted,
): Promise<Imported> => {
  const since = () =>
    new ImportFault(['Something has changed meanwhile. Nothing was done. Run the import again.'])
  try {
    return await db.transaction().execute(async (trx) => {
      const token = newToken()
      const nodeId = knownId ?? randomUUID()
      const expiresAt =
        knownId === undefined
          ? await insertNode(trx, {
              ...{ id: nodeId, name: nodeName, endpoint, second_port: null, layer_id: null, time_zone: null },
              ...{ ...file.pool, obfuscation: null, enrolment_hash: hashToken(token) },
            })
          : undefined
      if (knownId === undefined && !expiresAt) throw since()
      const known = knownId === undefined ? undefined : await findImportOfNode(trx, nodeName)
      const importId = known ? known.import_id : await insertImport(trx, nodeId, file.serverKey)
      if (importId === null || known?.taken_over_at) throw since()
      const positions = new Set(
        fresh.flatMap(({ position, ipv6Position }) => [position, ipv6Position ?? position]),
      )
      if (!(await takePositions(trx, nodeId, positions))) throw since()
      const accounts = await invite(trx, emailsOf(fresh))
      const brought = fresh.map((peer, at): BroughtPeer => {
        const id = randomUUID()
        return {
          ...peer,
          id,
          name: peer.name === '' ? `${brandName} ${at + 1}` : peer.name,
          customerId: peer.email === null ? null : (accounts.get(peer.email) ?? null),
          sealedPrivateKey: peer.privateKey === null ? null : keyCipher.encrypt(peer.privateKey, id),
          sealedPresharedKey: keyCipher.encrypt(peer.presharedKey, id),
        }
      })
      await insertBrought(trx, { importId, nodeId }, brought)
      return { nodeId, brought: brought.length, enrolment: expiresAt && { token, expiresAt } }
    })
  } catch (error) {
    throw (error as { code?: string }).code === UNIQUE_VIOLATION ? since() : error
  }
}

/** `isNodeLeft`: other connections live there by now. */
export type Undone = { connections: number; accounts: number; isNodeLeft: boolean }

/**
 * Takes an import back within a day: its connections, the accounts that nobody has claimed, and its node. Throws an ImportFault
 * where that is over, or something was paid for since.
 */
export const undoImport = async ({ db }: With<'db'>, nodeName: string): Promise<Undone> => {
  const node = await findImportOfNode(db, nodeName)
  if (!node?.import_id) throw new ImportFault([`No import has made a node ${nodeName}.`])
  if (!node.is_of_today)
    throw new ImportFault([
      `The import of ${nodeName} was more than a day ago. Move or end its connections by hand.`,
    ])
  const { id: nodeId, import_id: importId } = node
  const undone = await db.transaction().execute(async (trx) => {
    const brought = await lockBrought(trx, importId)
    const extended = brought.filter(({ is_extended }) => is_extended).length
    if (extended > 0)
      throw new ImportFault([`${extended} of its connections were extended since: move them away first.`])
    const invited = await listInvitedOf(trx, importId)
    await deleteBrought(trx, importId)
    await forgetPeers(
      trx,
      brought.map(({ id }) => id),
    )
    const accounts = await deleteInvited(trx, invited)
    await deleteImport(trx, importId)
    return { connections: brought.length, accounts }
  })
  return { ...undone, isNodeLeft: (await removeNode({ db }, nodeId)) > 0 }
}

/** Says whose a connection is that was brought without an email. False when it has an account already, or is gone. */
export const assignConnection = ({ db }: With<'db'>, connectionId: string, email: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const customerId = (await invite(trx, [email.toLowerCase()])).get(email.toLowerCase())
    if (customerId === undefined || !(await setOwner(trx, connectionId, customerId))) return false
    if (await isTakenOver(trx, connectionId)) await addJob(trx, 'mail-brought', { customerId })
    return true
  })
