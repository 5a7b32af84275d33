import { Badge } from '@hedgerow/ui/badge.tsx'
import { ArrowDownRight, ArrowUpRight, ChevronRight } from '@hedgerow/ui/icons.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { counted, countText, sumText } from '#lib/format.ts'
import { SalesChart } from '#pages/today/sales-chart.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { usePlaceOpens } from '#shared/place-opens.tsx'
import { useMay } from '#shared/session.tsx'
import { isLeft, SET_UP_TITLES } from '#shared/set-up-words.ts'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Today = ReplyOf<'getToday'>
type Revenue = NonNullable<Today['revenue']>

const ASKED_EVERY_MS = 60_000
/** A little longer than the server keeps its answer. */
const KEPT_MS = 5_500

const pounds = (minor: number) => sumText({ minor, currency: 'GBP' })
const soldText = (sales: Revenue['today']) => sales.map(({ sold }) => sumText(sold)).join(' + ') || 'nothing'

type FigureProps = { term: string; value: ReactNode; children?: ReactNode }

const Figure = ({ term, value, children }: FigureProps) => (
  <Card isSnug>
    <p className="text-sm text-quiet-ink">{term}</p>
    <p className="my-1 font-serif text-2xl font-semibold tabular-nums">{value}</p>
    {children && <div className="text-sm text-quiet-ink">{children}</div>}
  </Card>
)

/** Against the same time of the same weekday a week ago. */
const Change = ({ now, before }: { now: number; before: number }) => {
  const percent = before > 0 ? Math.round((100 * (now - before)) / before) : undefined
  const Arrow = now < before ? ArrowDownRight : ArrowUpRight
  return (
    <p className="flex flex-wrap items-center gap-x-1.5">
      {percent !== undefined && percent !== 0 && (
        <span
          className={`inline-flex items-center gap-0.5 font-semibold ${percent > 0 ? 'text-hedge' : 'text-straw'}`}
        >
          <Arrow className="size-4" aria-hidden="true" />
          {countText(Math.abs(percent))}% {percent > 0 ? 'up' : 'down'}
        </span>
      )}
      <span>
        {percent === 0 ? 'Same as ' : percent === undefined ? '' : 'on '}
        {before > 0 ? pounds(before) : 'Nothing sold'} by this time last week
      </span>
    </p>
  )
}

const RevenueFigure = ({ revenue: { pounds: sums, today, yesterday, weekAgo } }: { revenue: Revenue }) => {
  const refunded = today.filter(({ refunds }) => refunds > 0)
  const isKnown = sums.today !== null
  return (
    <Figure term="Sales today" value={sums.today === null ? soldText(today) : pounds(sums.today)}>
      {sums.today !== null && sums.weekAgo !== null ? (
        <Change now={sums.today} before={sums.weekAgo} />
      ) : (
        <p>
          By this time last week: {soldText(weekAgo)}.{' '}
          <Link to="/finance/rates" className="link">
            Set rate
          </Link>{' '}
          to see pounds.
        </p>
      )}
      <ul className="mt-2 flex flex-wrap gap-x-4">
        {today.map(({ sold, count }) => (
          <li key={sold.currency} className="tabular-nums">
            {isKnown && <span className="text-ink">{sumText(sold)}</span>}
            {isKnown ? ', ' : `${sold.currency}: `}
            {counted(count, 'payment')}
          </li>
        ))}
      </ul>
      <p>Yesterday by this time: {sums.yesterday === null ? soldText(yesterday) : pounds(sums.yesterday)}</p>
      {refunded.length > 0 && (
        <p>
          Refunded:{' '}
          {refunded.map(({ back, refunds }) => `${sumText(back)}, ${counted(refunds, 'payment')}`).join(', ')}
        </p>
      )}
    </Figure>
  )
}

const NODE_TONES = {
  up: 'good',
  failing: 'bad',
  down: 'bad',
  drained: 'warning',
  awaiting: 'quiet',
  demonstration: 'quiet',
} as const

type Alert = Today['alerts'][number]

const PAGES: Readonly<Record<Alert['list'], string>> = {
  applications: '/inbox?kind=application&',
  cancellations: '/cancellations?',
  checks: '/checks?',
  connections: '/connections?',
  'dispute-hints': '/disputes?',
  disputes: '/disputes?',
  jobs: '/jobs?',
  nodes: '/nodes?',
  payments: '/payments?',
  rates: '/finance/rates?',
  'record-checks': '/record?command=record+check&',
  'sealed-rows': '/connections?',
  settlement: '/finance/settlement?',
  'sterling-rates': '/finance/rates?',
  support: '/inbox?kind=support&',
  'unknown-payments': '/payments/unknown?',
  webhooks: '/webhooks?',
  withdrawals: '/withdrawals?',
}

/** Lists whose rows have a page where the act stands. */
const PAGES_OF_ONE: Partial<Record<Alert['list'], string>> = {
  applications: '/inbox',
  nodes: '/nodes',
  payments: '/payments',
  support: '/inbox',
}

/** Where it is acted upon: the page of the one thing that waits, or the list of all that do. */
const pageOf = ({ list, filters, only }: Alert) => {
  const ofOne = PAGES_OF_ONE[list]
  if (only && ofOne) return `${ofOne}/${encodeURIComponent(only)}`
  return `${PAGES[list]}${new URLSearchParams(filters)}`.replace(/[?&]$/, '')
}

const URGENCIES = {
  now: { name: 'Now', edge: 'border-l-berry', ink: 'text-berry' },
  today: { name: 'Today', edge: 'border-l-straw', ink: 'text-straw' },
  later: { name: 'Later', edge: 'border-l-line', ink: 'text-quiet-ink' },
} as const

/** What waits for whoever looks, as far as their role can mend it. */
const Waiting = ({ alerts }: Pick<Today, 'alerts'>) => {
  const opens = usePlaceOpens()
  const mine = alerts.filter((alert) => opens(pageOf(alert)))
  if (mine.length === 0) return <Notice kind="done">Nothing is waiting for you.</Notice>
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
      {mine.map((alert) => {
        const { name, edge, ink } = URGENCIES[alert.urgency]
        return (
          <li key={alert.name}>
            <Link
              to={pageOf(alert)}
              className={`flex min-h-12 flex-wrap items-center gap-x-3 border-l-4 px-4 py-2 hover:bg-hedge-tint hover:text-hedge ${edge}`}
            >
              <span className={`w-14 shrink-0 text-sm font-semibold ${ink}`}>{name}</span>
              <span className="min-w-0 flex-1 max-sm:order-last max-sm:basis-full">{alert.what}</span>
              <span className="text-sm text-quiet-ink max-sm:mr-auto">
                <Time at={alert.since} as="ago" none="" />
              </span>
              <span className="inline-flex items-center font-semibold text-hedge sm:min-w-36 sm:justify-end">
                {alert.act}
                <ChevronRight className="size-5 shrink-0" />
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

const LastBackup = ({ at }: { at: string | null }) => {
  const may = useMay()
  const time = <Time at={at} as="ago" none="never" />
  return may('shop.see') ? (
    <Link to="/checks" className="link">
      {time}
    </Link>
  ) : (
    time
  )
}

const Glance = ({ today }: { today: Today }) => {
  const may = useMay()
  return (
    <div
      className={`grid gap-3 sm:grid-cols-2 ${today.revenue ? 'lg:grid-cols-[1.8fr_1fr_1fr_1.2fr]' : 'lg:grid-cols-3'}`}
    >
      {today.revenue && <RevenueFigure revenue={today.revenue} />}
      <Figure term="Orders today" value={countText(today.orders.made)}>
        {today.orders.paid} paid, {today.orders.delivered} delivered, {today.orders.connected} connected
      </Figure>
      <Figure term="Connections" value={countText(today.active.connections)}>
        active, of {counted(today.active.customers, 'customer')}
      </Figure>
      <Figure
        term="Nodes"
        value={
          <span className="flex flex-wrap gap-1.5 font-sans">
            {today.nodes
              .filter(({ count }) => count > 0)
              .map(({ state, count }) => {
                const badge = (
                  <Badge tone={NODE_TONES[state]}>
                    {count} {state}
                  </Badge>
                )
                return may('nodes.see') ? (
                  <Link key={state} to="/nodes">
                    {badge}
                  </Link>
                ) : (
                  <span key={state}>{badge}</span>
                )
              })}
            {today.nodes.every(({ count }) => count === 0) && 'none'}
          </span>
        }
      >
        {counted(today.jobs.waiting, 'job')} waiting, {countText(today.jobs.givenUp)} failed. Last backup:{' '}
        <LastBackup at={today.backedUpAt} />
      </Figure>
    </div>
  )
}

/** Until a shop that was just installed can sell. */
const SetUp = () => {
  const may = useMay()
  const { data } = useData('getSetUp', {}, { isEnabled: may('settings.change') })
  const left = data?.isOver === false ? data.steps.filter(isLeft) : []
  return (
    left.length > 0 && (
      <Notice
        kind="info"
        title={`This shop is not set up yet: ${counted(left.length, 'step')} left`}
        className="mb-3"
      >
        {left.map(({ name }) => SET_UP_TITLES[name]).join(', ')}.{' '}
        <Link to="/set-up" className="link">
          Set up
        </Link>
      </Notice>
    )
  )
}

/** The first screen: what waits, how the day goes, and the shop at a glance. */
const TodayPage = () => {
  const today = useData(
    'getToday',
    {},
    {
      live: { kinds: ['payment', 'refund', 'conversation', 'node', 'withdrawal'], keptMs: KEPT_MS },
      everyMs: ASKED_EVERY_MS,
    },
  )
  return (
    <Page title="Today">
      <Loaded query={today}>
        {(data) => (
          <div className="space-y-8">
            <section aria-label="Waiting for you">
              <SetUp />
              <Waiting alerts={data.alerts} />
              {data.warnings.map((says) => (
                <Notice key={says} kind="warning">
                  {says}.
                </Notice>
              ))}
            </section>
            <Glance today={data} />
            {data.revenue && <SalesChart />}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default TodayPage
