/**
 * `npm run bench:simulation`: shows first that the model meets what was measured, and ends if it does not; then predicts.
 * What it prints has the tables of docs/scale.md; --write puts them there. --measured FILE: other measurements; --seed N:
 * other chance for the scenarios (1); --validate: nothing but the first part.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { layouts } from './assumptions.ts'
import { capacityOf } from './capacity.ts'
import { MEASURED_FILE, readMeasured } from './measured.ts'
import {
  complaints,
  type LayoutRow,
  layoutsTable,
  scenariosTable,
  serviceTimesTable,
  validationTable,
} from './report.ts'
import { play, SPARE, scenarios } from './scenarios.ts'
import { databaseTable, dayTable, limitsTable, sizesTable } from './size-tables.ts'
import { withTable } from './tables.ts'
import { validate } from './validate.ts'

const stop = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const USAGE = 'npm run bench:simulation -- [--measured FILE] [--seed N] [--validate] [--write]'

const readFlags = () => {
  try {
    const { values } = parseArgs({
      options: {
        measured: { type: 'string' },
        seed: { type: 'string' },
        validate: { type: 'boolean' },
        write: { type: 'boolean' },
      },
    })
    const seed = Number(values.seed ?? 1)
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new Error(`--seed is a whole number, not "${values.seed}"`)
    return {
      file: values.measured ?? MEASURED_FILE,
      seed,
      isOnlyValidated: values.validate ?? false,
      isWritten: values.write ?? false,
    }
  } catch (error) {
    return stop(`${(error as Error).message}\n${USAGE}`)
  }
}

const read = (file: string) => {
  try {
    return readMeasured(file)
  } catch (error) {
    return stop((error as Error).message)
  }
}

const SCALE_FILE = fileURLToPath(new URL('../../docs/scale.md', import.meta.url))

const printed: [title: string, table: string][] = []

const print = (title: string, table: string) => console.log(`\n${title}\n\n${table}`)

/** One of those that docs/scale.md has. */
const printForPaper = (title: string, table: string) => {
  print(title, table)
  printed.push([title, table])
}

const { file, seed, isOnlyValidated, isWritten } = readFlags()
const measured = read(file)
console.log(`Measured on ${measured.measuredAt}: ${measured.machine}. Seed ${seed}.`)

const verdicts = validate(measured)
printForPaper('Validation', validationTable(verdicts))
const wrong = complaints(verdicts)
if (wrong.length > 0) stop(`\n${wrong.join('\n')}`)
if (isOnlyValidated) process.exit(0)

const { one, oneWithFiles, three, apart } = layouts(measured)
const capacities = [one, oneWithFiles, three, apart].map((layout) => capacityOf(measured, layout))
const rows: LayoutRow[] = capacities.map((capacity) => ({
  name: capacity.layout.name,
  capacity,
  times: 1,
  planned: 1,
}))
const [, files, region] = capacities
if (!files || !region) throw new Error('every layout has a capacity')
rows.push({ name: 'three regions of three machines', capacity: region, times: 3, planned: SPARE })
const plans = { full: files.bound.perSecond, carries: { one: files.carries, three: region.carries } }

print('Service times', serviceTimesTable(measured))
printForPaper('Sizes', sizesTable(measured))
printForPaper('Layouts', layoutsTable(measured, rows))
printForPaper('Limits', limitsTable(measured))
print('PostgreSQL', databaseTable(measured))
print('Day', dayTable(measured))
printForPaper(
  'Scenarios',
  scenariosTable(scenarios(measured, plans).map((scenario) => play(measured, scenario, seed))),
)
if (isWritten) {
  const text = readFileSync(SCALE_FILE, 'utf8')
  writeFileSync(
    SCALE_FILE,
    printed.reduce((now, [title, table]) => withTable(now, title, table), text),
  )
  console.log(`\nWritten into ${SCALE_FILE}`)
}
