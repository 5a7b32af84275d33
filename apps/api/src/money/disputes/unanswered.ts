import { checkHints, checkUnfiled } from '#money/disputes/hints.queries.ts'
import type { With } from '#platform/dependencies.ts'

export { deleteOldHints, listHints, listUnfiled } from '#money/disputes/hints.queries.ts'

/** The operator has looked at the gateway's dashboard: hints wait no longer. Returns how many did. */
export const checkAll = ({ db }: With<'db'>): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const hints = await checkHints(trx, new Date(Date.now() + 1000))
    return hints + (await checkUnfiled(trx))
  })
