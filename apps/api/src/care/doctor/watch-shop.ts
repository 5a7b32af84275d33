import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Check } from '#care/doctor/check.ts'
import { type Found, runChecks, WATCHED } from '#care/doctor/run-checks.ts'
import { STATES } from '#care/doctor/shop-checks.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'

/** A row of a machine or of a check that there is no more. */
const KEPT_MINUTES = 60
/** What is seen once may be gone with the next look. */
const TOLD_AFTER_S = 30

/** What a check found, as one: the worst of it. */
const asOne = (name: string, found: readonly Found[]) => {
  const state = STATES.find((one) => found.some((each) => each.state === one)) ?? 'ok'
  const worst = found.filter((each) => each.state === state)
  const acts = new Set(worst.flatMap(({ act }) => act ?? []))
  return { name, state, says: worst.map(({ says }) => says).join('; '), act: [...acts].join(' ') || null }
}

type Deps = With<'db' | 'settings'>

/**
 * Looks at what customers need and that fails outside of the shop, and keeps what was found. Operators are mailed of a
 * problem that the next look finds too, once until it is over.
 */
export const watchShop = async (
  { db, settings }: Deps,
  checks: readonly Check[] = WATCHED,
): Promise<void> => {
  const all = await runChecks({ settings, db, storefrontDir: '' }, { checks, withinMs: 20_000 })
  const rows = checks.map(({ name, isOfMachine }) => ({
    ...asOne(
      name,
      all.filter(({ check }) => check === name),
    ),
    machine: isOfMachine ? hostname() : '',
  }))
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('shop_checks')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['name', 'machine']).doUpdateSet({
          state: (row) => row.ref('excluded.state'),
          says: (row) => row.ref('excluded.says'),
          act: (row) => row.ref('excluded.act'),
          looked_at: sql`now()`,
          since: sql`case when shop_checks.state = excluded.state then shop_checks.since else now() end`,
          told_at: sql`case when excluded.state = 'problem' then shop_checks.told_at end`,
        }),
      )
      .execute()
    await trx
      .deleteFrom('shop_checks')
      .where('looked_at', '<', sql<Date>`now() - make_interval(mins => ${KEPT_MINUTES})`)
      .execute()
    const told = await trx
      .updateTable('shop_checks')
      .set({ told_at: sql`now()` })
      .where('state', '=', 'problem')
      .where('told_at', 'is', null)
      .where('since', '<=', sql<Date>`now() - make_interval(secs => ${TOLD_AFTER_S})`)
      .returning('name')
      .execute()
    if (told.length > 0) await addJob(trx, 'mail-check-failing', {})
  })
}
