/** Part of `npm run check`: migrations from the first release on only add, or take away what a floor allows (013). */
import { readMigrations } from '@hedgerow/api/database/migrations'
import { statementsOf } from '@hedgerow/api/testing/migration-statements'
import { faultsOf } from './expansion.ts'

/** Those before it ran where no version had been released. */
const FIRST = '0051'

const migrations = await readMigrations()
const names = Object.keys(migrations)
const faults: string[] = []
for (const [at, name] of names.entries()) {
  const migration = migrations[name]
  if (name < FIRST || !migration) continue
  const { floor, isOutsideTransaction = false } = migration
  const tell = (fault: string) => faults.push(`${name}: ${fault}`)
  if (names[at - 1]?.slice(0, 4) === name.slice(0, 4)) tell('Its number is taken.')
  if (floor && !names.slice(0, at).includes(floor.migration))
    tell(`Its floor, ${floor.migration}, is no migration before it.`)
  if (floor && isOutsideTransaction) tell('It has a floor, and so it wants a transaction.')
  const statements = await statementsOf(migration)
  for (const fault of faultsOf({ statements, isOutsideTransaction, hasFloor: floor !== undefined }))
    tell(fault)
}
for (const fault of faults) console.error(fault)
process.exit(faults.length > 0 ? 1 : 0)
