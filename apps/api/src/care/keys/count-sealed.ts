import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import {
  forgetReplaced,
  insertUnreadable,
  listHolders,
  listSealed,
  listSealingKeys,
  type SealedRow,
} from '#care/keys/keys.queries.ts'
import { SEALED_PLACES, type SealedKind, type SealedPlace } from '#care/keys/sealed-places.ts'
import { idIn, type KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

/** Read at once. */
const BATCH = 500

/** All sealed values of a column, by so many rows. */
export async function* batchesOf(db: Db, place: SealedPlace): AsyncGenerator<SealedRow[]> {
  for (let after: string | undefined; ; ) {
    const rows = await listSealed(db, place, after, BATCH)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.id
    // The shop itself may be looking.
    await breathe()
  }
}

export const hashOfSealed = (sealed: Buffer): Buffer => createHash('sha256').update(sealed).digest()

/** A value that no key opens, with the key that it says it was sealed by. */
export type Unopened = { kind: SealedKind; id: string; saysKey: string; hash: Buffer }

export const asUnopened = ({ kind }: SealedPlace, { id, sealed }: SealedRow): Unopened => ({
  kind,
  id,
  saysKey: idIn(sealed),
  hash: hashOfSealed(sealed),
})

export const sortByKey = ({ openedBy }: KeyCipher, place: SealedPlace, rows: readonly SealedRow[]) =>
  rows.map((row) => ({ ...row, by: openedBy(row.sealed, place.ownerOf(row.id)) }))

/** Keeps what was found, for all to see; what has been replaced since is forgotten. */
export const noteUnopened = async (db: Db, found: readonly Unopened[]): Promise<void> => {
  await forgetReplaced(db)
  for (let at = 0; at < found.length; at += BATCH) await insertUnreadable(db, found.slice(at, at + BATCH))
}

export type KeyStatus = {
  keys: { id: string; role: 'seals' | 'opens' | 'missing'; values: number }[]
  unopened: Unopened[]
  /** The shop's processes, and whether they open what is sealed now. */
  holders: { seals: string | null; opens: string[] | null }[]
}

/** Opens everything that is sealed, and says by which keys. Keeps which values do not open. */
export const readKeyStatus = async ({ db, keyCipher }: With<'db' | 'keyCipher'>): Promise<KeyStatus> => {
  const counts = new Map<string, number>(keyCipher.ids.map((id) => [id, 0]))
  const unopened: Unopened[] = []
  for (const place of SEALED_PLACES)
    for await (const rows of batchesOf(db, place))
      for (const { by, ...row } of sortByKey(keyCipher, place, rows)) {
        if (by === undefined) unopened.push(asUnopened(place, row))
        else counts.set(by, (counts.get(by) ?? 0) + 1)
      }
  await noteUnopened(db, unopened)
  const registered = (await listSealingKeys(db)).map(({ id }) => id)
  const missing = registered.filter((id) => !counts.has(id))
  const saying = (id: string) => unopened.filter(({ saysKey }) => saysKey === id).length
  return {
    keys: [
      ...[...counts].map(([id, values]) => {
        const role = id === keyCipher.sealingId ? ('seals' as const) : ('opens' as const)
        return { id, role, values }
      }),
      ...missing.map((id) => ({ id, role: 'missing' as const, values: saying(id) })),
    ],
    unopened,
    holders: (await listHolders(db)).map(({ seals, opens }) => ({ seals, opens })),
  }
}
