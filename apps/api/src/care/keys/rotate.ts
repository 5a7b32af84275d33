import { setTimeout as pause } from 'node:timers/promises'
import { asUnopened, batchesOf, noteUnopened, sortByKey, type Unopened } from '#care/keys/count-sealed.ts'
import { deleteSealingKeys, listHolders, listSealingKeys, swapSealed } from '#care/keys/keys.queries.ts'
import { SEALED_PLACES, type SealedPlace } from '#care/keys/sealed-places.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db' | 'keyCipher'>

/** Locked rows are looked for again after so long. */
const AGAIN_AFTER_MS = 250

export type Progress = { seen: number; resealed: number }
export type Rotated = Progress & {
  unopened: Unopened[]
  /** Keys by which nothing is sealed any more. */
  retired: string[]
}

type Pass = { resealed: number; held: number; unopened: Unopened[] }

const passOver = async (
  { db, keyCipher }: Deps,
  place: SealedPlace,
  tell: (seen: number, resealed: number) => void,
): Promise<Pass> => {
  const pass: Pass = { resealed: 0, held: 0, unopened: [] }
  for await (const rows of batchesOf(db, place)) {
    const sorted = sortByKey(keyCipher, place, rows)
    const due = sorted.filter(({ by }) => by !== undefined && by !== keyCipher.sealingId)
    const swaps = due.map(({ id, sealed }) => ({
      id,
      sealed,
      fresh: keyCipher.reseal(sealed, place.ownerOf(id)),
    }))
    const changed = swaps.length > 0 ? await swapSealed(db, place, swaps) : 0
    pass.resealed += changed
    pass.held += swaps.length - changed
    pass.unopened.push(...sorted.filter(({ by }) => !by).map((row) => asUnopened(place, row)))
    tell(rows.length, changed)
  }
  return pass
}

/** Whether a process of the shop seals by another key still, or is of a release that does not tell. */
export const sealsOtherwise = async ({ db, keyCipher }: Deps): Promise<boolean> =>
  (await listHolders(db)).some(({ seals }) => seals !== keyCipher.sealingId)

/**
 * Seals everything by the key that seals now, while the shop runs: each value is changed by comparing, so that nothing that
 * someone writes meanwhile is lost, and what is done stays done if this is killed. Ends with a pass that finds nothing to
 * do. To be called once every process seals by that key.
 */
export const rotateKeys = async (deps: Deps, onProgress: (progress: Progress) => void): Promise<Rotated> => {
  const { db } = deps
  let resealed = 0
  for (;;) {
    let seen = 0
    const passes: Pass[] = []
    for (const place of SEALED_PLACES)
      passes.push(
        await passOver(deps, place, (rows, changed) => {
          seen += rows
          resealed += changed
          onProgress({ seen, resealed })
        }),
      )
    const held = passes.reduce((sum, pass) => sum + pass.held, 0)
    if (held > 0) await pause(AGAIN_AFTER_MS)
    if (held > 0 || passes.some((pass) => pass.resealed > 0)) continue
    const unopened = passes.flatMap((pass) => pass.unopened)
    await noteUnopened(db, unopened)
    return { seen, resealed, unopened, retired: await retire(deps) }
  }
}

/** Nothing is sealed by the others any more, and no process seals by them. */
const retire = async (deps: Deps): Promise<string[]> => {
  if (await sealsOtherwise(deps)) return []
  const others = (await listSealingKeys(deps.db))
    .map(({ id }) => id)
    .filter((id) => id !== deps.keyCipher.sealingId)
  await deleteSealingKeys(deps.db, others)
  return others
}
