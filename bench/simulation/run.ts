/**
 * `npm run bench:simulation`: shows first that the model meets what was measured, and ends if it does not; then predicts.
 * What it prints are the tables of docs/scale.md. --measured FILE: other measurements; --seed N: other chance for the
 * scenarios (1); --validate: nothing but the first part.
 */
import { parseArgs } from 'node:util'
import { layouts } from './assumptions.ts'
import { capacityOf } from './capacity.ts'
import { MEASURED_FILE, readMeasured } from './measured.ts'
import {
  complaints,
  databaseTable,
  dayTable,
  layoutsTable,
  limitsTable,
  priceOf,
  scenariosTable,
  serviceTimesTable,
  sizesTable,
  validationTable,
} from './report.ts'
import { play, scenarios } from './scenarios.ts'
import { validate } from './validate.ts'

const stop = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const USAGE = 'npm run bench:simulation -- [--measured FILE] [--seed N] [--validate]'

const readFlags = () => {
  try {
    const { values } = parseArgs({
      options: { measured: { type: 'string' }, seed: { type: 'string' }, validate: { type: 'boolean' } },
    })
    const seed = Number(values.seed ?? 1)
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new Error(`--seed is a whole number, not "${values.seed}"`)
    return { file: values.measured ?? MEASURED_FILE, seed, isOnlyValidated: values.validate ?? false }
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

const print = (title: string, table: string) => console.log(`\n${title}\n\n${table}`)

const { file, seed, isOnlyValidated } = readFlags()
const measured = read(file)
console.log(`Measured on ${measured.measuredAt}: ${measured.machine}. Seed ${seed}.`)

const verdicts = validate(measured)
print('Validation', validationTable(verdicts))
const wrong = complaints(verdicts)
if (wrong.length > 0) stop(`\n${wrong.join('\n')}`)
if (isOnlyValidated) process.exit(0)

print('Service times, ms of processor time', serviceTimesTable(measured))
const { one, oneWithFiles, three, apart } = layouts(measured)
const capacities = [one, oneWithFiles, three, apart].map((layout) => capacityOf(measured, layout))
print(
  'Layouts',
  layoutsTable(
    measured,
    capacities,
    capacities.map(({ layout }) => priceOf(layout)),
  ),
)
print('Sizes', sizesTable(measured))
print('A day of 2,000,000 customers on one machine', dayTable(measured))
print('Limits', limitsTable(measured))
print('PostgreSQL', databaseTable(measured))

const [, files, region] = capacities
const plans = {
  full: files?.bound.perSecond ?? 0,
  carries: { one: files?.carries ?? 0, three: region?.carries ?? 0 },
}
print(
  'Scenarios',
  scenariosTable(scenarios(measured, plans).map((scenario) => play(measured, scenario, seed))),
)
