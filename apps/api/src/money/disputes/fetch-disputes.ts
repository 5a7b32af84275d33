import { DAY_MS } from '@hedgerow/domain/dates'
import { GATEWAY_TITLES, GATEWAYS } from '@hedgerow/domain/gateways'
import { listIdsToAsk } from '#money/disputes/disputes.queries.ts'
import { type Filed, fileChargeback, fileShared } from '#money/disputes/file-chargeback.ts'
import {
  checkHints,
  claimAsking,
  keepUnfiled,
  listUnfiledToAsk,
  noteFetched,
} from '#money/disputes/hints.queries.ts'
import { gateIdOf, readChargeback } from '#money/disputes/read-chargeback.ts'
import { DataFault } from '#money/gateway/data-fault.ts'
import { createDataCall, type DataCall } from '#money/gateway/gate/data-call.ts'
import type { GatewayDependencies } from '#money/gateway/gateway.ts'
import type { With } from '#platform/dependencies.ts'
import type { Settings } from '#platform/settings.ts'

/** The most that the gateway answers with at once. */
const PAGE = 1_000
/** More pages than that are a gateway that repeats itself. */
const MOST_PAGES = 50
/** Open ones, those spoken of and those that could not be filed are asked about one by one, where the interval did not bring them. */
const MOST_ASKED = 100

export type Fetched = Record<Filed, number>

type Period = { from: Date; to: Date }

/** 'YYYY-MM-DD HH:MM:SS' in UTC, as in the gateway's other calls. */
const wireTime = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')

const listIn = (answer: unknown): unknown[] => {
  const list = (answer as { chargebacks?: unknown } | null)?.chargebacks
  if (!Array.isArray(list))
    throw new DataFault('The gateway’s Data API did not answer with a list of chargebacks.')
  return list
}

const listAll = async function* (call: DataCall, { from, to }: Period): AsyncGenerator<unknown> {
  for (let page = 0; page < MOST_PAGES; page++) {
    const list = listIn(
      await call('chargeback/list', {
        interval: { from: wireTime(from), to: wireTime(to) },
        tz: 'UTC',
        limit: PAGE,
        offset: page * PAGE,
      }),
    )
    yield* list
    if (list.length < PAGE) return
  }
  throw new DataFault('The gateway’s Data API lists more chargebacks than can be.')
}

const fileItem = async ({ db, log }: With<'db'> & Partial<With<'log'>>, item: unknown): Promise<Filed> => {
  const chargeback = readChargeback(item)
  if (chargeback) return fileChargeback({ db, ...(log ? { log } : {}) }, chargeback)
  const gate_id = gateIdOf(item)
  if (gate_id === undefined) throw new DataFault('The gateway’s Data API lists a chargeback without an id.')
  await keepUnfiled(db, {
    gate_id,
    payment_id: null,
    why: 'The gateway described it in a form that is not known.',
  })
  return 'unfiled'
}

/**
 * Asks the gateway for the chargebacks of a period, and for those that are open here or were won and are spoken of again, and
 * files what it tells. All of it may be done again: what is known stays as it is. Throws DataFault where the gateway does not
 * answer; what came before is filed. One that cannot be filed holds up no other: why is thrown at the end.
 */
export const fetchDisputes = async (
  { db, call, log }: With<'db'> & Partial<With<'log'>> & { call: DataCall },
  period: Period,
): Promise<Fetched> => {
  const filed: (keyof Fetched)[] = []
  const listed = new Set<string>()
  const faults: unknown[] = []
  const file = (item: unknown) =>
    fileItem({ db, ...(log ? { log } : {}) }, item).then(
      (as) => {
        filed.push(as)
      },
      (error: unknown) => {
        faults.push(error)
      },
    )
  for await (const item of listAll(call, period)) {
    await file(item)
    listed.add(gateIdOf(item) ?? '')
  }
  // What could not be filed may fit the books by now.
  const open = [...(await listIdsToAsk(db, MOST_ASKED)), ...(await listUnfiledToAsk(db, MOST_ASKED))]
  const left = open.filter(({ gate_id }) => !listed.has(gate_id))
  for (const { gate_id } of left) {
    const answer = (await call('chargeback/get', { chargeback_id: gate_id })) as {
      chargeback?: unknown
    } | null
    if (answer?.chargeback) await file(answer.chargeback)
  }
  for (const fault of faults) throw fault
  const countOf = (as: keyof Fetched) => filed.filter((one) => one === as).length
  return {
    new: countOf('new'),
    changed: countOf('changed'),
    known: countOf('known'),
    unfiled: countOf('unfiled'),
  }
}

/** Chargebacks come up to 540 days after a sale, and are reported within days: the first time goes back so far. */
const FIRST_DAYS = 180
/** What the gateway enters late is in the next question again. */
const OVERLAP_DAYS = 7

/** From when to ask by default. */
export const periodSince = (fetchedTo: Date | null, to: Date): Period => ({
  from: new Date((fetchedTo ?? to).getTime() - (fetchedTo ? OVERLAP_DAYS : FIRST_DAYS) * DAY_MS),
  to,
})

type WatchDeps = With<'db'> &
  Partial<With<'log'>> & { settings: Pick<Settings, 'dataApi'> } & GatewayDependencies

/**
 * The recurring job: asks once a day, after a hint, and after an event, but never twice within minutes, in however
 * many processes. A gateway that is away is asked again. Without a Data API the Gate cannot be asked, and hints wait for the
 * operator.
 */
export const watchDisputes = async ({ db, settings, gateways, log }: WatchDeps): Promise<void> => {
  const telling = GATEWAYS.filter((name) => gateways[name]?.chargebacks)
  if (!settings.dataApi && telling.length === 0) return
  const claimed = await claimAsking(db)
  if (!claimed) return
  const { now, fetchedTo } = claimed
  const deps = { db, ...(log ? { log } : {}) }
  const silent: string[] = []
  for (const name of telling) {
    const told = await gateways[name]?.chargebacks?.(new Date(now.getTime() - FIRST_DAYS * DAY_MS))
    if (told) await fileShared(deps, name, told)
    else silent.push(GATEWAY_TITLES[name])
  }
  if (settings.dataApi) {
    const call = createDataCall(settings.dataApi)
    await fetchDisputes({ ...deps, call }, periodSince(fetchedTo, now))
    await checkHints(db, now)
  }
  if (silent.length > 0) throw new Error(`${silent.join(' and ')} did not tell of disputes`)
  await noteFetched(db, now)
}
