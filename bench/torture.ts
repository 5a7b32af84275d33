/**
 * `npm run torture [-- --checkouts 1000 --kills 200 --restarts 5 --seed 7 --at-once 16 --logs FOLDER]`: customers buy from a shop that is
 * killed under them, over three gateways that do everything wrong, while cards change between two of them; at the end the books of
 * each and the shop's have to agree.
 * The seed repeats what everyone means to do and when the plugs are pulled; how the processes interleave is the machine's.
 */
import { parseArgs } from 'node:util'
import { reportOf } from '@hedgerow/api/testing/torture/report'
import { torture } from '@hedgerow/api/testing/torture/run'

const { values } = parseArgs({
  options: {
    checkouts: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '200' },
    restarts: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'at-once': { type: 'string', default: '16' },
    logs: { type: 'string' },
  },
})

const wholeNumber = (name: Exclude<keyof typeof values, 'logs'>): number => {
  const number = Number(values[name])
  if (Number.isInteger(number) && number >= 0) return number
  console.error(`--${name} must be a whole number, not "${values[name]}"`)
  process.exit(2)
}

const options = {
  checkouts: wholeNumber('checkouts'),
  kills: wholeNumber('kills'),
  restarts: wholeNumber('restarts'),
  seed: wholeNumber('seed'),
  atOnce: wholeNumber('at-once'),
  abandonedAfterS: 25,
  quietWithinS: 180,
  logsTo: values.logs,
  patienceS: 15,
  tell: (line: string) => console.log(line),
}

const early = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => early.abort())

console.log(
  `Seed ${options.seed}: ${options.checkouts} checkouts, ${options.kills} kills, ${options.restarts} restarts …`,
)
try {
  const outcome = await torture(options, early.signal)
  console.log(reportOf(outcome))
  process.exit(outcome.violations.length === 0 ? 0 : 1)
} catch (error) {
  console.error(error)
  process.exit(1)
}
