import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { readBooks } from '#testing/torture/books.ts'
import { cancelAsPlanned } from '#testing/torture/cancel.ts'
import { changeCarriers, takeCrypto } from '#testing/torture/carriers.ts'
import { chanceOf } from '#testing/torture/chance.ts'
import { type Buyer, checkOut } from '#testing/torture/customer.ts'
import { type Evidence, readDatabase, readMails } from '#testing/torture/evidence.ts'
import { faultsOff, faultsOn, readStruck } from '#testing/torture/faults.ts'
import { type History, newHistory } from '#testing/torture/history.ts'
import { breakInvoices, mendInvoices } from '#testing/torture/invoices.ts'
import { countLogged } from '#testing/torture/logged.ts'
import { correctAsPlanned, giveBack } from '#testing/torture/operator.ts'
import { drainAndOpen, makePlaces } from '#testing/torture/places.ts'
import { planCheckout } from '#testing/torture/plan.ts'
import { hangGateway, type Progress, reap, shakeDatabase, type Toll } from '#testing/torture/reaper.ts'
import { sleep } from '#testing/torture/shop-door.ts'
import { findViolations, type Violation } from '#testing/torture/violations.ts'
import { hurryAll, waitUntilQuiet } from '#testing/torture/wait-until-quiet.ts'
import { openWorld, type World } from '#testing/torture/world.ts'

export type TortureOptions = {
  checkouts: number
  kills: number
  restarts: number
  seed: number
  /** How many customers are at the checkout at once. */
  atOnce: number
  /** After how long the gateway gives up a customer who has left. */
  abandonedAfterS: number
  quietWithinS: number
  /** How long a customer looks at a payment that stands still. */
  patienceS: number
  /** Where the logs of the API's processes are kept after the run. Unset: nowhere. */
  logsTo?: string | undefined
  /** Hears how far it is, now and then. */
  tell?: (line: string) => void
}

export type Outcome = {
  options: TortureOptions
  toll: Toll
  history: History
  evidence: Evidence
  /** How often each fault of the gateway struck. */
  struck: Record<string, number>
  logged: Map<string, number>
  violations: Violation[]
  /** Seconds: until the last customer left, and until everything was quiet after that. */
  seconds: { checkouts: number; untilQuiet: number }
}

const CHECKOUTS_PER_CUSTOMER = 4
/** How far the customers may be ahead of those who pull the plugs, as a share of the run. */
const AHEAD = 0.02
const TELL_EVERY_S = 10

/** Each came by the link of the one before, so that everyone but the first earns for a partner. */
const makeCustomers = async ({ db }: World, number: number): Promise<TestCustomer[]> => {
  const customers: TestCustomer[] = []
  for (let i = 0; i < number; i++) {
    const customer = await aCustomer({ db })
    const partnerId = customers.at(-1)?.id ?? null
    await sql`update customers set referred_by = ${partnerId} where id = ${customer.id}`.execute(db)
    customers.push(customer)
  }
  return customers
}

type Run = {
  world: World
  options: TortureOptions
  history: History
  toll: Toll
  customers: readonly TestCustomer[]
  places: readonly string[]
  /** Checkouts that were begun, and those that are over. */
  begun: number
  over: number
  isOver: boolean
  /** Refunds that the operator is at. */
  besides: Promise<void>[]
}

/** Wakes all who wait for the next press of a button. */
const createPresses = () => {
  let press = Promise.withResolvers<void>()
  return {
    next: () => press.promise,
    announce: () => {
      press.resolve()
      press = Promise.withResolvers<void>()
    },
  }
}

/** Customers wait for the plugs too, so that none is left over at the end. */
const mayStart = ({ options, toll }: Run, number: number): boolean => {
  const { checkouts, kills, restarts, atOnce } = options
  const share = number / checkouts - AHEAD - atOnce / checkouts
  return toll.kills >= Math.floor(share * kills) && toll.restarts >= Math.floor(share * restarts)
}

/** One checkout after the other, until all are begun. */
const shop = async (run: Run, onPress: () => void): Promise<void> => {
  const { world, options, history, customers, places } = run
  while (run.begun < options.checkouts && !run.isOver) {
    const number = run.begun++
    while (!mayStart(run, number) && !run.isOver) await sleep(20)
    const plan = planCheckout(options.seed, number, customers.length)
    const buyer: Buyer = {
      token: (customers[plan.customer] as TestCustomer).token,
      shopUrl: world.front.url,
      sandboxUrl: world.sandboxUrl,
      history,
      places,
      patienceMs: options.patienceS * 1_000,
      isOver: () => run.isOver,
      onPress,
    }
    const paid = await checkOut(buyer, plan)
    run.over++
    for (const paymentId of paid) {
      run.besides.push(giveBack(world.db, history, paymentId, plan.refund))
      run.besides.push(cancelAsPlanned(buyer, paymentId, plan.cancels))
      run.besides.push(correctAsPlanned(world.db, history, paymentId, plan.corrections))
    }
  }
}

/** Brings jobs forward every second, and says how far it is. */
const hurry = async (run: Run): Promise<void> => {
  const { options, toll, world } = run
  for (let second = 1; !run.isOver; second++) {
    await sleep(1_000)
    if (second % TELL_EVERY_S === 0)
      options.tell?.(
        `${second} s: ${run.over} of ${options.checkouts} checkouts, ${toll.kills} kills, ${toll.restarts} restarts`,
      )
    await hurryAll(world.db).catch(() => undefined)
  }
}

/** Makes customers, plugs and operator run beside each other until every checkout is over. */
const runCheckouts = async (
  world: World,
  options: TortureOptions,
  history: History,
  toll: Toll,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const { checkouts, kills, restarts, seed, atOnce } = options
  const customers = await makeCustomers(world, Math.ceil(checkouts / CHECKOUTS_PER_CUSTOMER))
  const run: Run = {
    world,
    options,
    history,
    toll,
    customers,
    places: await makePlaces(world.db),
    begun: 0,
    over: 0,
    isOver: false,
    besides: [],
  }
  signal?.addEventListener('abort', () => {
    run.isOver = true
  })
  const presses = createPresses()
  const progress: Progress = {
    share: () => run.over / checkouts,
    nextPress: presses.next,
    isOver: () => run.isOver,
  }
  const customersAtOnce = Promise.all(Array.from({ length: atOnce }, () => shop(run, presses.announce)))
  const plugs = Promise.all([
    reap(world, chanceOf(seed, 'kills'), progress, kills, toll),
    shakeDatabase(world, chanceOf(seed, 'restarts'), progress, restarts, toll),
    hangGateway(world, progress),
  ])
  const hurrying = hurry(run)
  const draining = drainAndOpen(world.db, run.places, () => run.isOver)
  const changing = changeCarriers(world.db, () => run.isOver)
  try {
    await Promise.all([customersAtOnce, plugs])
    await Promise.all(run.besides)
  } finally {
    run.isOver = true
    await Promise.allSettled([customersAtOnce, plugs, hurrying, draining, changing])
  }
}

const strangeThings = (world: World, { strange }: History, ends: readonly unknown[], isQuiet: boolean) => [
  ...strange.map((ids) => ({ rule: 'an answer that no customer should get', ids })),
  ...(world.deaths() > 0 ? [{ rule: 'an API process ended by itself', ids: `${world.deaths()} times` }] : []),
  ...ends
    .filter((end) => end !== 0)
    .map((end) => ({ rule: 'an API process did not stop in good order', ids: `${end}` })),
  ...(isQuiet ? [] : [{ rule: 'it was not quiet in its time', ids: '' }]),
]

const keepLogs = async ({ logFiles }: World, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const file of logFiles) await copyFile(file, join(folder, basename(file)))
}

/** The whole run in a world of its own, which is gone afterwards. `signal` ends it early. */
export const torture = async (options: TortureOptions, signal?: AbortSignal): Promise<Outcome> => {
  const world = await openWorld(options.abandonedAfterS)
  const history = newHistory()
  const toll: Toll = { kills: 0, restarts: 0 }
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('The run was ended early')))
  })
  const whole = async (): Promise<Outcome> => {
    const started = performance.now()
    await faultsOn(world.sandboxUrl, options.seed)
    await breakInvoices(world.db)
    await takeCrypto(world.db)
    await runCheckouts(world, options, history, toll, signal)
    const untilQuiet = performance.now()
    await faultsOff(world.sandboxUrl)
    await mendInvoices(world.db)
    options.tell?.('All customers have gone; waiting until it is quiet …')
    const isQuiet = await waitUntilQuiet(world.db, world.sandboxUrl, options.quietWithinS * 1_000)
    const quiet = performance.now()
    const books = await readBooks(world.sandboxUrl)
    const struck = await readStruck(world.sandboxUrl)
    const ends = await world.stopPrograms()
    const mails = await readMails(join(world.dataDir, 'sandbox'))
    const evidence = {
      ...(await readDatabase(world.db)),
      books,
      mails,
      shownStatuses: history.shownStatuses,
      said: history.said,
    }
    return {
      options,
      toll,
      history,
      evidence,
      struck,
      logged: await countLogged(world.logFiles),
      violations: [...findViolations(evidence), ...strangeThings(world, history, ends, isQuiet)],
      seconds: { checkouts: (untilQuiet - started) / 1_000, untilQuiet: (quiet - untilQuiet) / 1_000 },
    }
  }
  try {
    return await Promise.race([whole(), aborted])
  } finally {
    if (options.logsTo) await keepLogs(world, options.logsTo).catch(console.error)
    await world.close()
  }
}
