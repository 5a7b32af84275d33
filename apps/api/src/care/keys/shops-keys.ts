import {
  deleteSealingKeys,
  insertHolder,
  insertSealingKey,
  listHolders,
  listSealed,
  listSealingKeys,
  lockSealingKeys,
  saysSealingKeys,
} from '#care/keys/keys.queries.ts'
import { SEALED_PLACES } from '#care/keys/sealed-places.ts'
import { resealRecord } from '#people/operators/operator-record.ts'
import { createKeyCipher, type KeyCipher, keyIdOf } from '#platform/crypto/key-cipher.ts'
import { createKeyedHash, hashKeyOf } from '#platform/crypto/keyed-hash.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import type { Settings } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'

/** The keys that a program was given. */
export type GivenKeys = Pick<Settings, 'keyEncryptionKey' | 'acceptedKeys'>

export const cipherOf = ({ keyEncryptionKey, acceptedKeys }: GivenKeys): KeyCipher =>
  createKeyCipher(keyEncryptionKey, acceptedKeys)

/** What a hash key is bound to. */
const ownerOfHashKey = (id: string): string => `hash key of ${id}`

/** Of each column so many are tried where the shop has not written down yet which keys it has. */
const TRIED = 20

/** The keys that open what is sealed, the one that opens most first; undefined where nothing is sealed. */
const tryRows = async (db: Db, keyCipher: KeyCipher): Promise<string[] | undefined> => {
  const counts = new Map<string, number>()
  let tried = 0
  for (const place of SEALED_PLACES)
    for (const { id, sealed } of await listSealed(db, place, undefined, TRIED)) {
      tried++
      const by = keyCipher.openedBy(sealed, place.ownerOf(id))
      if (by) counts.set(by, (counts.get(by) ?? 0) + 1)
    }
  if (tried === 0) return undefined
  return [...counts].sort(([, one], [, other]) => other - one).map(([id]) => id)
}

const notOpened = (rows: Awaited<ReturnType<typeof listSealingKeys>>, { openedBy }: KeyCipher): string[] =>
  rows
    .filter(({ id, hash_key_encrypted }) => openedBy(hash_key_encrypted, ownerOfHashKey(id)) !== id)
    .map(({ id }) => id)

/**
 * What became of trying the keys. `missing`: rows are sealed by these, which the program does not have. `of`: those that
 * rows are sealed by, with what hashes are keyed with, if it was written down.
 */
export type TriedKeys =
  | { kind: 'opens'; of: string[]; hashKey?: Buffer }
  | { kind: 'nothing-to-try' }
  | { kind: 'does-not-open'; missing: string[] }

/** Whether a program has all keys of the shop. One that has not must seal nothing, and could not open all. */
export const tryKeys = async ({ db, keyCipher }: With<'db' | 'keyCipher'>): Promise<TriedKeys> => {
  const rows = await listSealingKeys(db)
  if (rows.length > 0) {
    const missing = notOpened(rows, keyCipher)
    if (missing.length > 0) return { kind: 'does-not-open', missing }
    const [{ id, hash_key_encrypted } = { id: '', hash_key_encrypted: Buffer.of() }] = rows
    const hashKey = Buffer.from(keyCipher.decrypt(hash_key_encrypted, ownerOfHashKey(id)), 'base64')
    return { kind: 'opens', of: rows.map((row) => row.id), hashKey }
  }
  const of = await tryRows(db, keyCipher)
  if (!of) return { kind: 'nothing-to-try' }
  return of.length > 0 ? { kind: 'opens', of } : { kind: 'does-not-open', missing: [] }
}

/** Those that the shop seals by and a program was not given; none in a database that does not say them yet. */
export const missingKeys = async (db: Db, given: GivenKeys): Promise<string[]> => {
  if (!(await saysSealingKeys(db))) return []
  return notOpened(await listSealingKeys(db), cipherOf(given))
}

/** Writes down that rows may be sealed by these. */
const register = async (
  trx: Trx,
  { keyEncryptionKey, acceptedKeys }: GivenKeys,
  ids: readonly string[],
  hashKey: Buffer,
): Promise<void> => {
  for (const key of [keyEncryptionKey, ...acceptedKeys]) {
    const id = keyIdOf(key)
    if (!ids.includes(id)) continue
    const sealed = createKeyCipher(key).encrypt(hashKey.toString('base64'), ownerOfHashKey(id))
    await insertSealingKey(trx, id, sealed)
  }
}

/** The hash key of a shop that has not written one down: of the key that it has had so far. */
const firstHashKey = ({ keyEncryptionKey, acceptedKeys }: GivenKeys, id: string): Buffer => {
  const key = [keyEncryptionKey, ...acceptedKeys].find((one) => keyIdOf(one) === id)
  return hashKeyOf(key ?? keyEncryptionKey)
}

const wrongKey = (missing: readonly string[], { ids }: KeyCipher): StartError =>
  new StartError(
    missing.length > 0
      ? `KEY_ENCRYPTION_KEY is not this shop's: it has sealed by ${wordsOf(missing)}, and was given ${wordsOf(ids)}. Set the right one, or add it to KEY_ENCRYPTION_KEYS_ACCEPTED.`
      : 'KEY_ENCRYPTION_KEY does not open what this shop has sealed. Set the one that it was started with before.',
  )

const wordsOf = (ids: readonly string[]): string =>
  `${ids.length === 1 ? 'key' : 'keys'} ${ids.join(' and ')}`

const notYetKnown = (id: string): StartError =>
  new StartError(
    `Another process of this shop does not open what key ${id} seals. First start each of them with it in KEY_ENCRYPTION_KEYS_ACCEPTED, then seal by it.`,
  )

/**
 * Before the shop opens: its keys open what it has sealed, and every process that lives opens what this one seals. Writes
 * down a key that is new. Returns what hashes are keyed with. Throws a StartError.
 */
export const openShopsKeys = (db: Db, given: GivenKeys): Promise<Buffer> => {
  const keyCipher = cipherOf(given)
  const { sealingId } = keyCipher
  return db.transaction().execute(async (trx) => {
    const seen = await tryKeys({ db: trx, keyCipher })
    if (seen.kind === 'opens' && seen.hashKey && seen.of.includes(sealingId)) return seen.hashKey
    await lockSealingKeys(trx)
    const tried = await tryKeys({ db: trx, keyCipher })
    if (tried.kind === 'does-not-open') throw wrongKey(tried.missing, keyCipher)
    const of = tried.kind === 'opens' ? tried.of : []
    const hashKey = (tried.kind === 'opens' && tried.hashKey) || firstHashKey(given, of[0] ?? sealingId)
    if (of.length > 0 && !of.includes(sealingId)) {
      const holders = await listHolders(trx)
      if (!holders.every(({ opens }) => opens?.includes(sealingId))) throw notYetKnown(sealingId)
    }
    const isWritten = tried.kind === 'opens' && tried.hashKey !== undefined
    const missing = [...new Set([...of, sealingId])].filter((id) => !(isWritten && of.includes(id)))
    await register(trx, given, missing, hashKey)
    return hashKey
  })
}

/** Whether a program beside the shop may seal: it has all keys of the shop, and seals by one that processes know. */
export const areShopsKeys = async (deps: With<'db' | 'keyCipher'>): Promise<boolean> => {
  const tried = await tryKeys(deps)
  if (tried.kind === 'does-not-open') return false
  return tried.kind === 'nothing-to-try' || tried.of.includes(deps.keyCipher.sealingId)
}

/**
 * Tells the other processes which keys this one has. Throws a StartError where one has begun meanwhile to seal by a key that it
 * lacks: a new process sees only those that have said so before.
 */
export const registerHolder = (
  db: Db,
  backend: { pid: number; start: Date },
  keyCipher: KeyCipher,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockSealingKeys(trx)
    const tried = await tryKeys({ db: trx, keyCipher })
    if (tried.kind === 'does-not-open') throw wrongKey(tried.missing, keyCipher)
    await insertHolder(trx, backend, { seals: keyCipher.sealingId, opens: keyCipher.ids })
  })

/**
 * The key that is set is the shop's from now on, although others are lost: what they sealed never opens again. Hashes are
 * keyed anew, and the record of what operators did is sealed anew, unless the key is one of the shop's. Returns the keys that were given up; undefined where none is missing.
 */
export const replaceLostKeys = (db: Db, given: GivenKeys): Promise<string[] | undefined> => {
  const keyCipher = cipherOf(given)
  return db.transaction().execute(async (trx) => {
    await lockSealingKeys(trx)
    const tried = await tryKeys({ db: trx, keyCipher })
    if (tried.kind !== 'does-not-open') return undefined
    const rows = await listSealingKeys(trx)
    const known = rows.find(({ id }) => !tried.missing.includes(id) && keyCipher.ids.includes(id))
    await deleteSealingKeys(trx, tried.missing)
    const hashKey = known
      ? Buffer.from(keyCipher.decrypt(known.hash_key_encrypted, ownerOfHashKey(known.id)), 'base64')
      : hashKeyOf(given.keyEncryptionKey)
    if (!rows.some(({ id }) => id === keyCipher.sealingId && !tried.missing.includes(id)))
      await register(trx, given, [keyCipher.sealingId], hashKey)
    await resealRecord(trx, createKeyedHash(hashKey))
    return tried.missing
  })
}
