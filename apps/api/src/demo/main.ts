/**
 * Makes a demonstration shop in DATA_DIR, unless it is there: `make` before the sandbox runs, `settle` beside it, and the last
 * one, `agents`, speaks for its nodes while the shop is open. `npm start -- --demo` runs them.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DAY_MS } from '@hedgerow/domain/dates'
import { SettingsError } from '@hedgerow/settings/settings-error'
import { speakForNodes } from '#demo/agents.ts'
import { TOLD_THE_TIME } from '#demo/clock.ts'
import { DEMO_CUSTOMER } from '#demo/demo-customer.ts'
import { beginFolder, endFolder, isMade, noteMaking, readMade, readMaking } from '#demo/demo-folder.ts'
import { finishDemoShop } from '#demo/finish-shop.ts'
import { makeDemoShop } from '#demo/make-shop.ts'
import { refuseElsewhere } from '#demo/may-make.ts'
import { openDatabase } from '#platform/database/client.ts'
import { holdEmbedded } from '#platform/database/embedded.ts'
import { migrate } from '#platform/database/migrate.ts'
import { readSettings, requireGate } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'

const AT_ONCE = 6
const { env } = process
const say = (line: string) => console.log(line)

const withDatabase = async (
  dataDir: string,
  limits: object,
  work: (database: ReturnType<typeof openDatabase>) => Promise<void>,
): Promise<void> => {
  const held = holdEmbedded(dataDir)
  // Ctrl-C, also while the server starts: the next start makes it anew, and finds no server of this one running.
  const stopAtOnce = () => void held.then(({ stop }) => stop()).finally(() => process.exit(1))
  process.once('SIGTERM', stopAtOnce)
  const embedded = await held
  const database = openDatabase(embedded.url, () => undefined, AT_ONCE, limits)
  try {
    await work(database)
  } finally {
    process.off('SIGTERM', stopAtOnce)
    await database.pool.end()
    await embedded.stop()
  }
}

type Size = { seed: number; customers: number; days: number }

const make = async (size: Size): Promise<void> => {
  const settings = requireGate(readSettings(env))
  const { dataDir } = settings
  const began = Date.now()
  say(`Making a demonstration shop of ${size.customers} customers in ${dataDir}. That takes a minute or two.`)
  await withDatabase(dataDir, {}, async (database) => {
    await migrate(database)
  })
  await withDatabase(dataDir, TOLD_THE_TIME, async ({ db, pool }) => {
    const { journal, agents } = await makeDemoShop(db, settings, { ...size, end: new Date() }, say)
    await mkdir(join(dataDir, 'sandbox'), { recursive: true })
    await writeFile(join(dataDir, 'sandbox', 'books.jsonl'), journal)
    await noteMaking(dataDir, { ...size, madeAt: new Date().toISOString(), agents })
    await pool.query('vacuum analyze')
  })
  say(`Made in ${Math.round((Date.now() - began) / 1000)} s.`)
}

const settle = async (): Promise<void> => {
  const settings = requireGate(readSettings(env))
  const { days, madeAt } = await readMaking(settings.dataDir)
  say('Fetching what the gateway has booked …')
  await withDatabase(settings.dataDir, {}, ({ db }) =>
    finishDemoShop(db, settings, new Date(Date.parse(madeAt) - days * DAY_MS)),
  )
  await endFolder(settings.dataDir)
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, customers: { type: 'string' }, days: { type: 'string' } },
})

const count = (given: string | undefined, usual: number) => {
  const number = Number(given ?? usual)
  if (!Number.isInteger(number) || number < 1 || number > 100_000)
    throw new StartError(`‘${given}’ is no number that a demonstration shop could be made of.`)
  return number
}

const run = async (stage: string | undefined): Promise<object> => {
  const dataDir = env.DATA_DIR ?? ''
  refuseElsewhere(env, stage === 'make' ? [] : ['GATE_URL', 'SMTP_URL'])
  if (!dataDir) throw new StartError('DATA_DIR is not set.')
  if (stage === 'agents') {
    speakForNodes(env.SHOP_URL ?? '', (await readMade(dataDir)).agents)
    return { customer: DEMO_CUSTOMER }
  }
  if (isMade(dataDir)) return {}
  if (stage === 'settle') await settle()
  else {
    const size = {
      seed: count(values.seed, 1),
      customers: count(values.customers, 2_000),
      days: count(values.days, 90),
    }
    await beginFolder(dataDir)
    await make(size)
  }
  return {}
}

try {
  const more = await run(positionals[0])
  process.send?.({ ready: true, url: '', ...more })
  process.on('disconnect', () => process.exit(0))
  if (positionals[0] !== 'agents') process.disconnect?.()
} catch (error) {
  console.error(error instanceof StartError || error instanceof SettingsError ? error.message : error)
  process.exit(1)
}
