import type { Command } from 'commander'
import { changes } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { say, sayAside, sayJson } from '#desk/tool/print.ts'
import { withNewDatabase, withWholeDatabase } from '#desk/tool/with-database.ts'
import { compareSchema, type SchemaState } from '#platform/database/compare-schema.ts'
import { migrate } from '#platform/database/migrate.ts'
import { listKnownMigrations } from '#platform/database/migrations.ts'

type Options = { check?: true; json?: true }

const names = (list: readonly string[]) => list.join(', ')

const sayNewer = ({ newer }: SchemaState): void => {
  if (newer.length > 0)
    say(`A newer version has been here, and this one can run on it all the same: ${names(newer)}.`)
}

const check = async (): Promise<SchemaState> => {
  const known = await listKnownMigrations()
  return withWholeDatabase(({ db }) => compareSchema(db, known))
}

const run = async ({ check: isCheck, json }: Options): Promise<void> => {
  if (isCheck) {
    const state = await check()
    if (json) return sayJson(state)
    say(state.pending.length === 0 ? 'There is nothing to do.' : `To be done: ${names(state.pending)}.`)
    return sayNewer(state)
  }
  const log = {
    warn: (...line: unknown[]) => sayAside(String(line.at(-1))),
  }
  const state = await withNewDatabase((database) => migrate(database, { log }))
  if (json) return sayJson(state)
  say(state.pending.length === 0 ? 'There was nothing to do.' : `Done: ${names(state.pending)}.`)
  sayNewer(state)
}

export const addMigrate = (program: Command): void => {
  changes(program.command('migrate'), 'stays')
    .summary('bring the database up to date, as a start of the shop does')
    .description(
      'Bring the database up to date for this version, as each start of the shop does. ' +
        'Shops of the version before go on meanwhile. Processes started afterwards find nothing to do.',
    )
    .option('--check', 'only say what would be done')
    .addOption(JSON_OPTION)
    .action(run)
}
