import { Badge } from '@hedgerow/ui/badge.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { counted, countText, sumText } from '#lib/format.ts'
import { SalesChart } from '#pages/today/sales-chart.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { usePlaceOpens } from '#shared/place-opens.tsx'
import { useMay } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Today = ReplyOf<'getToday'>
type Sales = Today['today']

const ASKED_EVERY_MS = 60_000
/** A little longer than the server keeps its answer. */
const KEPT_MS = 5_500

const soldText = (sales: Sales) => sales.map(({ sold }) => sumText(sold)).join(' + ') || 'nothing'
const countOf = (sales: Sales) => sales.reduce((sum, { count }) => sum + count, 0)

type FigureProps = { term: string; value: ReactNode; children?: ReactNode }

const Figure = ({ term, value, children }: FigureProps) => (
  <Card isSnug>
    <p className="text-sm text-quiet-ink">{term}</p>
    <p className="my-1 font-serif text-2xl font-semibold tabular-nums">{value}</p>
    {children && <div className="text-sm text-quiet-ink">{children}</div>}
  </Card>
)

const SalesFigure = ({ today }: { today: Today }) => (
  <Figure term="Sold since midnight" value={soldText(today.today)}>
    <p>
      {counted(countOf(today.today), 'payment')}. By this time yesterday: {soldText(today.yesterday)}; a week
      ago: {soldText(today.weekAgo)}.
    </p>
    {today.today.some(({ refunds }) => refunds > 0) && (
      <p>
        Refunded:{' '}
        {today.today
          .filter(({ refunds }) => refunds > 0)
          .map(({ back, refunds }) => `${sumText(back)}, ${counted(refunds, 'payment')}`)
          .join(', ')}
      </p>
    )}
  </Figure>
)

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
  withdrawals: '/withdrawals?',
}

const pageOf = ({ list, filters }: Alert) =>
  `${PAGES[list]}${new URLSearchParams(filters)}`.replace(/[?&]$/, '')

/** What waits for whoever looks, as far as their role can mend it. */
const Waiting = ({ alerts }: Pick<Today, 'alerts'>) => {
  const opens = usePlaceOpens()
  const mine = alerts.filter((alert) => opens(pageOf(alert)))
  if (mine.length === 0) return <Notice kind="done">Nothing is waiting for you.</Notice>
  return (
    <ul className="divide-y divide-line rounded-card border border-line bg-surface">
      {mine.map((alert) => (
        <li key={alert.name}>
          <Link
            to={pageOf(alert)}
            className="flex min-h-12 items-center gap-3 px-4 py-2 hover:bg-hedge-tint hover:text-hedge"
          >
            <span className="min-w-0 flex-1">{alert.what}</span>
            <ChevronRight className="size-5 shrink-0 text-quiet-ink" aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Each one stands in the record. */
const LastBackup = ({ at }: { at: string | null }) => {
  const may = useMay()
  const time = <Time at={at} as="ago" none="never" />
  return may('record.see') ? (
    <Link to="/record?command=backup" className="link">
      {time}
    </Link>
  ) : (
    time
  )
}

const Glance = ({ today }: { today: Today }) => (
  <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
    <SalesFigure today={today} />
    <Figure term="Orders since midnight" value={countText(today.orders.made)}>
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
            .map(({ state, count }) => (
              <Badge key={state} tone={NODE_TONES[state]}>
                {count} {state}
              </Badge>
            ))}
          {today.nodes.every(({ count }) => count === 0) && 'none'}
        </span>
      }
    >
      {counted(today.jobs.waiting, 'job')} waiting, {countText(today.jobs.givenUp)} failed. Last backup:{' '}
      <LastBackup at={today.backedUpAt} />
    </Figure>
  </div>
)

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
              <Waiting alerts={data.alerts} />
              {data.warnings.map((says) => (
                <Notice key={says} kind="warning">
                  {says}.
                </Notice>
              ))}
            </section>
            <Glance today={data} />
            <SalesChart />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default TodayPage
