/**
 * `npm run bench:failover [-- --events switchover,kill,cable,pause,disk --per-second 20 --lasts 25 --logs FOLDER]`: three PostgreSQL
 * with Patroni and etcd on machines of their own (network namespaces), HAProxy, two API processes, and customers who buy while the
 * leading server is struck. The gateway's books judge at the end. Needs root and Debian's packages; says which are missing.
 */
import { parseArgs } from 'node:util'
import { whatIsMissing } from '@hedgerow/api/testing/failover/cluster'
import { EVENTS } from '@hedgerow/api/testing/failover/events'
import { rehearse } from '@hedgerow/api/testing/failover/rehearse'

const refuse = (why: string): never => {
  console.error(why)
  process.exit(2)
}

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: EVENTS.map(({ name }) => name).join(',') },
    'per-second': { type: 'string', default: '20' },
    lasts: { type: 'string', default: '25' },
    logs: { type: 'string' },
  },
})

const wholeNumber = (name: 'per-second' | 'lasts'): number => {
  const number = Number(values[name])
  return Number.isInteger(number) && number > 0 && number <= 1_000
    ? number
    : refuse(`--${name} must be a whole number from 1 to 1000, not "${values[name]}"`)
}

const missing = whatIsMissing()
if (missing.length > 0) refuse(`The rehearsal cannot be held here; missing: ${missing.join(', ')}`)
const events = values.events
  .split(',')
  .map((name) => EVENTS.find((event) => event.name === name) ?? refuse(`There is no event "${name}"`))

const early = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => early.abort())

try {
  const outcome = await rehearse(
    {
      events,
      perSecond: wholeNumber('per-second'),
      lastsS: wholeNumber('lasts'),
      quietWithinS: 300,
      logsTo: values.logs,
      tell: (line) => console.log(line),
    },
    early.signal,
  )
  const { purchases, paid, violations, isQuiet, lateReceipts, deaths, logged } = outcome
  console.log(`${purchases} purchases, ${paid} paid; API processes that ended by themselves: ${deaths}`)
  for (const [line, count] of [...logged].toSorted(([, a], [, b]) => b - a).slice(0, 12))
    console.log(`${String(count).padStart(8)}  ${line}`)
  for (const { rule, ids } of violations.slice(0, 20)) console.log(`VIOLATION ${rule}: ${ids}`)
  if (lateReceipts > 0)
    console.log(`${lateReceipts} receipts were still to be written when the time was over.`)
  else if (!isQuiet) console.log('It was not quiet in its time.')
  console.log(
    violations.length === 0 ? 'No paid order was lost or doubled.' : `${violations.length} violations.`,
  )
  process.exit(violations.length === 0 && deaths === 0 && (isQuiet || lateReceipts > 0) ? 0 : 1)
} catch (error) {
  console.error(error)
  process.exit(1)
}
