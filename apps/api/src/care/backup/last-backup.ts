import type { With } from '#platform/dependencies.ts'

/** When a backup was last taken. */
export const lastBackup = async ({ db }: With<'db'>): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('operator_actions')
    .select('ended_at')
    .where('command', '=', 'backup')
    .where('outcome', '=', 'done')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.ended_at ?? undefined
}
