import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FEATURES, type WireFeatures } from '@hedgerow/domain/pricing'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { type Cluster, openCluster } from '#testing/failover/cluster.ts'
import type { Event } from '#testing/failover/events.ts'
import { CARDS } from '#testing/payments.ts'
import { readBooks } from '#testing/torture/books.ts'
import { type Buyer, checkOut } from '#testing/torture/customer.ts'
import { readDatabase, readMails } from '#testing/torture/evidence.ts'
import { type History, newHistory } from '#testing/torture/history.ts'
import { countLogged } from '#testing/torture/logged.ts'
import { makePlaces } from '#testing/torture/places.ts'
import type { PlannedCheckout } from '#testing/torture/plan.ts'
import { type Answer, hearers, isNoAnswer, sleep } from '#testing/torture/shop-door.ts'
import { findViolations, type Violation } from '#testing/torture/violations.ts'
import { waitUntilQuiet } from '#testing/torture/wait-until-quiet.ts'
import { openWorld, type World } from '#testing/torture/world.ts'

export type RehearsalOptions = {
  events: readonly Event[]
  perSecond: number
  /** Of an event: how long it lasts until it is mended. */
  lastsS: number
  quietWithinS: number
  logsTo?: string | undefined
  tell: (line: string) => void
}

/** What customers saw of one event. */
export type Seen = {
  event: string
  /** The longest time without an order or payment that was taken. */
  healedAfterS: number
  requests: number
  /** Without an answer, or refused for now. */
  failed: number
  /** Whether all three were at work again afterwards. */
  isWhole: boolean
}

export type Rehearsal = {
  seen: Seen[]
  purchases: number
  paid: number
  violations: Violation[]
  isQuiet: boolean
  /** Receipts come last, and take what processors are left. */
  lateReceipts: number
  deaths: number
  logged: Map<string, number>
}

const CUSTOMERS = 200
const BEFORE_MS = 4_000
const AFTER_MS = 4_000
const WHOLE_WITHIN_MS = 90_000

const A_PURCHASE: Omit<PlannedCheckout, 'customer'> = {
  choice: {
    days: 30,
    connections: 3,
    currency: 'EUR',
    features: Object.fromEntries(FEATURES.map(({ wire }) => [wire, false])) as WireFeatures,
  },
  attempts: [
    {
      way: { method: 'card', pan: CARDS.paid, isApproved: true },
      otherTab: undefined,
      presses: 1,
      answers: 1,
      patience: 'stays',
    },
  ],
  refund: 'none',
  cancels: 0,
  corrections: 0,
  renews: 0,
  plan: undefined,
  place: undefined,
}

const A_JOB = 'left under way: a job'

/** One that has only not had its turn. */
const isLateReceipt = ({ rule, ids }: Violation): boolean =>
  rule === A_JOB
    ? /^mail-receipt .*\(0 tries/.test(ids)
    : rule.startsWith('a receipt') && ids.endsWith('without its mail')

type Heard = { at: number; isLost: boolean; isTaken: boolean }

/** Every answer that customers got, and when. */
const listenToAnswers = () => {
  const heard: Heard[] = []
  const hear = (_url: string, answer: Answer | undefined, isRead: boolean) => {
    const isLost = isNoAnswer(answer)
    heard.push({ at: performance.now(), isLost, isTaken: !isLost && !isRead && answer.status < 300 })
  }
  hearers.add(hear)
  return { heard, stop: () => hearers.delete(hear) }
}

const longestGapS = (heard: readonly Heard[], from: number): number => {
  const taken = heard.filter(({ at, isTaken }) => isTaken && at >= from).map(({ at }) => at)
  const gaps = taken.map((at, i) => at - (taken[i - 1] ?? from))
  return Math.max(0, ...gaps) / 1_000
}

/** Purchases come at their pace, whether the ones before have been answered or not. */
const startBuying = (
  world: World,
  history: History,
  customers: readonly TestCustomer[],
  perSecond: number,
) => {
  const under = new Set<Promise<unknown>>()
  let purchases = 0
  let isOver = false
  const buy = () => {
    const customer = purchases++ % customers.length
    const buyer: Buyer = {
      token: (customers[customer] as TestCustomer).token,
      shopUrl: world.front.url,
      sandboxUrl: world.sandboxUrl,
      history,
      places: [],
      patienceMs: 60_000,
      isOver: () => isOver,
      onPress: () => undefined,
    }
    const one = checkOut(buyer, { ...A_PURCHASE, customer }).finally(() => under.delete(one))
    under.add(one)
  }
  let timer: NodeJS.Timeout | undefined
  return {
    start: () => {
      timer = setInterval(buy, 1_000 / perSecond)
    },
    /** Waits for those that are under way. */
    rest: async () => {
      clearInterval(timer)
      await Promise.allSettled(under)
    },
    end: () => {
      isOver = true
      clearInterval(timer)
    },
    count: () => purchases,
  }
}

type Run = { cluster: Cluster; buying: ReturnType<typeof startBuying>; options: RehearsalOptions }

const live = async ({ cluster, buying, options }: Run, event: Event): Promise<Seen> => {
  const { heard, stop } = listenToAnswers()
  buying.start()
  await sleep(BEFORE_MS)
  const struck = performance.now()
  const mend = await event.strike(cluster)
  await sleep(options.lastsS * 1_000)
  await mend()
  await sleep(AFTER_MS)
  await buying.rest()
  stop()
  const after = heard.filter(({ at }) => at >= struck)
  const isWhole = await cluster.whole(WHOLE_WITHIN_MS)
  return {
    event: event.name,
    healedAfterS: longestGapS(heard, struck),
    requests: after.length,
    failed: after.filter(({ isLost }) => isLost).length,
    isWhole,
  }
}

const keepLogs = async (dataDir: string, folder: string) => {
  await mkdir(folder, { recursive: true })
  for (const file of await readdir(dataDir))
    if (file.endsWith('.log')) await copyFile(join(dataDir, file), join(folder, file))
}

const ABANDONED_AFTER_S = 25

/** Strikes the database's leader while customers buy, in every way that is named, and judges by the gateway's books. */
export const rehearse = async (options: RehearsalOptions, signal: AbortSignal): Promise<Rehearsal> => {
  let cluster: Cluster | undefined
  const world = await openWorld(ABANDONED_AFTER_S, async (dataDir) => {
    options.tell('Three database servers are made …')
    cluster = await openCluster(dataDir)
    return cluster
  })
  const history = newHistory()
  const customers: TestCustomer[] = []
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The rehearsal was ended early')))
  })
  const whole = async (): Promise<Rehearsal> => {
    if (!cluster) throw new Error('There is no cluster')
    for (let i = 0; i < CUSTOMERS; i++) customers.push(await aCustomer(world))
    await makePlaces(world.db)
    const buying = startBuying(world, history, customers, options.perSecond)
    signal.addEventListener('abort', buying.end)
    const seen: Seen[] = []
    for (const event of options.events) {
      seen.push(await live({ cluster, buying, options }, event))
      options.tell(sayOfEvent(seen.at(-1) as Seen))
    }
    options.tell('Waiting until it is quiet …')
    const isQuiet = await waitUntilQuiet(world.db, world.sandboxUrl, options.quietWithinS * 1_000)
    const books = await readBooks(world.sandboxUrl)
    await world.stopPrograms()
    const mails = await readMails(join(world.dataDir, 'sandbox'))
    const evidence = {
      ...(await readDatabase(world.db)),
      books,
      mails,
      shownStatuses: history.shownStatuses,
      said: history.said,
    }
    const found = findViolations(evidence)
    const late = isQuiet ? [] : found.filter(isLateReceipt)
    const strange = history.strange.map((ids) => ({ rule: 'an answer that no customer should get', ids }))
    return {
      seen,
      purchases: buying.count(),
      paid: books.filter(({ settled }) => settled > 0).length,
      violations: [...found.filter((one) => !late.includes(one)), ...strange],
      isQuiet,
      lateReceipts: late.filter(({ rule }) => rule === A_JOB).length,
      deaths: world.deaths(),
      logged: await countLogged(world.logFiles),
    }
  }
  try {
    return await Promise.race([whole(), aborted])
  } finally {
    if (options.logsTo) await keepLogs(world.dataDir, options.logsTo).catch(console.error)
    await world.close()
  }
}

export const sayOfEvent = ({ event, healedAfterS, requests, failed, isWhole }: Seen): string =>
  `${event}: ${healedAfterS.toFixed(1)} s without a purchase, ${failed} of ${requests} requests failed${isWhole ? '' : '; the three servers did not all come back'}`
