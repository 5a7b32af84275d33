import { PRICES } from './assumptions.ts'
import { type Capacity, customersOf, receiptsPerSecond } from './capacity.ts'
import type { Layout } from './layout.ts'
import { CALLS, type CallName, type Measured } from './measured.ts'
import type { Told } from './scenarios.ts'
import { figure, markdown, percent, signed } from './tables.ts'
import { TOLERANCE, type Verdict } from './validate.ts'

const HOUR_S = 3_600

export const validationTable = (verdicts: readonly Verdict[]): string =>
  markdown(
    [
      'load',
      'purchases/s, measured',
      'predicted',
      'off',
      'p50 ms, measured',
      'predicted',
      'off',
      'p99 ms, measured',
      'predicted',
      'others used',
      'work dearer',
    ],
    verdicts.map(({ point, predicted, off }) => [
      point.what,
      figure(point.perSecond, 3),
      figure(predicted.perSecond, 3),
      signed(off.perSecond),
      figure(point.p50, 3),
      figure(predicted.p50, 3),
      signed(off.p50),
      figure(point.p99, 3),
      figure(predicted.p99, 3),
      `${figure(point.others)} cores`,
      signed(predicted.dearer - 1),
    ]),
  )

/** A sentence for each load that the model does not meet. */
export const complaints = (verdicts: readonly Verdict[]): string[] =>
  verdicts
    .filter(({ isMet }) => !isMet)
    .map(
      ({ point, off }) =>
        `The model does not meet "${point.what}": purchases off by ${signed(off.perSecond)} (${percent(TOLERANCE.perSecond)} allowed), p50 by ${signed(off.p50)} (${percent(TOLERANCE.p50)} allowed); other programs used ${figure(point.others)} processors meanwhile. Measure anew on a machine that rests: node bench/simulation/measure.ts`,
    )

const WORDS: Readonly<Record<CallName, string>> = {
  order: 'order',
  pay: 'payment',
  outcome: 'callback and delivery',
  receipt: 'invoice and receipt (PDF, mail)',
  poll: 'status poll',
  list: 'list of plans',
  profile: 'profile',
  history: 'payments of an account',
  logIn: 'log-in (argon2)',
  page: 'home page, the document',
  file: 'one of its files',
  agentPoll: 'an agent asks, nothing new',
  agentPeer: 'an agent is told of a peer',
  limit: 'counting a call for a limit',
}

export const serviceTimesTable = ({ calls }: Measured): string =>
  markdown(
    ['call', 'API, main thread', 'API, other threads', 'PostgreSQL'],
    CALLS.map((name) => {
      const { main, documents, threads, database } = calls[name]
      return [WORDS[name], figure(main), figure(documents + threads), figure(database)]
    }),
  )

/** A layout, or several of it of which each may lose one. */
export type LayoutRow = { name: string; capacity: Capacity; times: number; planned: number }

export const layoutsTable = (measured: Measured, rows: readonly LayoutRow[]): string =>
  markdown(
    [
      'layout',
      'full at purchases/s',
      'by',
      'next',
      'plan with',
      'an hour',
      'customers',
      'polls/s',
      'page p99 ms',
      'receipts/s',
      '£ a month',
    ],
    rows.map(({ name, capacity: { layout, bound, next, carries, tried }, times, planned }) => {
      const calm = tried.findLast(({ part }) => part * bound.perSecond <= carries + 1e-9)?.steady
      const plan = carries * times * planned
      return [
        name,
        figure(bound.perSecond * times),
        bound.what,
        `${next.what}, ${figure(next.perSecond * times)}`,
        figure(plan),
        figure(plan * HOUR_S),
        `${figure(customersOf(plan) / 1e6)} million`,
        figure((calm?.pollsPerSecond ?? Number.NaN) * times * planned),
        figure(calm?.pageP99 ?? Number.NaN),
        figure(receiptsPerSecond(measured, layout) * times),
        figure(priceOf(layout) * times, 3),
      ]
    }),
  )

export const scenariosTable = (told: readonly Told[]): string =>
  markdown(
    [
      'scenario',
      'page p99 ms, before and worst',
      'to Success p50 s, before and worst',
      'polls/s',
      'calls waiting',
      'answered 503',
      'given up',
      'well again after',
      'receipts waiting',
    ],
    told.map(({ name, before, worst, pollsPerSecond, most, refused, lost, recoveredAfterS }) => [
      name,
      `${figure(before.page)}, ${figure(worst.page)}`,
      `${figure(before.success / 1000)}, ${figure(worst.success / 1000)}`,
      figure(pollsPerSecond),
      figure(most.calls),
      figure(refused),
      figure(lost),
      recoveredAfterS === undefined ? 'not within the run' : `${figure(recoveredAfterS)} s`,
      figure(most.receipts),
    ]),
  )

/** What the layouts cost a month: machines, a load balancer where there are several, a terabyte for backups. */
const priceOf = (layout: Layout): number => {
  const machines = layout.machines + (layout.hasOwnDatabase ? 1 : 0)
  return machines * PRICES.machine + PRICES.storageTb + (machines > 1 ? PRICES.loadBalancer : 0)
}
