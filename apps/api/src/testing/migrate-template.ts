/** Brings a database up to date by this version, for the tests of the release before it: see scripts/check-upgrade.ts. */
import { openDatabase } from '#platform/database/client.ts'
import { migrate } from '#platform/database/migrate.ts'

const database = openDatabase(process.env.DATABASE_URL ?? '', () => undefined, 2)
await migrate(database)
await database.pool.end()
