import { Badge } from '@hedgerow/ui/badge.tsx'
import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { countText, titleText, writtenSumText } from '#lib/format.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { useData } from '#shared/use-data.ts'

type Month = ReplyOf<'checkConsoleMonth'>
type Check = Month['checks'][number]
type Waiting = Month['waiting'][number]

const MONTHS_OFFERED = 18

const monthText = (month: string) =>
  new Date(`${month}-15T12:00:00Z`).toLocaleString('en-GB', { month: 'long', year: 'numeric' })

/** The last months, the running one first. */
const months = (): string[] => {
  const now = new Date()
  return Array.from({ length: MONTHS_OFFERED }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 15)).toISOString().slice(0, 7),
  )
}

/** Where each kind of what waits is mended. */
const MENDED_AT = new Map([
  ['no-rate', '/finance/rates'],
  ['no-sterling', '/finance/rates'],
  ['old-rate', '/finance/rates'],
  ['no-invoice', '/payments?only=invoice-failing'],
  ['open-refunds', '/payments?only=refund-stuck'],
  ['unasked-refunds', '/payments?only=refund-stuck'],
  ['open-payments', '/payments?only=stuck'],
  ['unknown-payments', '/payments/unknown'],
  ['open-disputes', '/disputes?status=open'],
])

const WaitingList = ({ items }: { items: readonly Waiting[] }) => (
  <ul className="divide-y divide-line">
    {items.map(({ kind, what, count }) => {
      const to = MENDED_AT.get(kind)
      return (
        <li key={kind} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
          <span>
            <strong className="tabular-nums">{countText(count)}</strong> {what}
          </span>
          {to && (
            <Link to={to} className="link">
              Look at it
            </Link>
          )}
        </li>
      )
    })}
  </ul>
)

const sums = (of: Check['left']) =>
  Object.entries(of.sums)
    .map(([unit, sum]) =>
      /^[A-Z]{3}$/.test(unit) ? writtenSumText(sum, unit) : `${countText(Number(sum))} ${unit}`,
    )
    .join(', ') || '–'

const CheckLine = ({ check }: { check: Check }) => (
  <li className="py-3">
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <strong>{titleText(check.check.replaceAll('-', ' '))}</strong>
      {check.agrees ? <Badge tone="good">agrees</Badge> : <Badge tone="bad">differs</Badge>}
    </div>
    <dl className="mt-1 grid gap-x-6 gap-y-1 text-quiet-ink sm:grid-cols-2">
      {[check.left, check.right].map((total, at) => (
        <div key={at === 0 ? 'left' : 'right'} className="flex flex-wrap gap-x-2">
          <dt>{titleText(total.what)}:</dt>
          <dd className="tabular-nums text-ink">{sums(total)}</dd>
        </div>
      ))}
    </dl>
    {check.differences.length > 0 && (
      <ul className="mt-2 list-disc pl-5">
        {check.differences.map(({ about, says }) => (
          <li key={`${about} ${says}`}>
            {about}: {says}
          </li>
        ))}
        {check.moreDifferences > 0 && <li>and {countText(check.moreDifferences)} more</li>}
      </ul>
    )}
  </li>
)

const Next = ({ month: { from, to, quarter } }: { month: Month }) => (
  <ol className="list-decimal space-y-1 pl-5">
    {quarter && (
      <>
        <li>
          <Link to={`/finance/returns?from=${quarter.from}&to=${quarter.to}`} className="link">
            The VAT return
          </Link>{' '}
          of the quarter, if yours ends now
        </li>
        <li>
          <Link to={`/finance/returns?quarter=${quarter.name}`} className="link">
            The return of the One Stop Shop
          </Link>
          , if you sell under it
        </li>
      </>
    )}
    <li>
      <Link to={`/finance/returns?from=${from}&to=${to}`} className="link">
        The files for the accountant
      </Link>
    </li>
    <li>
      <Link to="/withdrawals?state=requested" className="link">
        Pay the partners
      </Link>
    </li>
  </ol>
)

const Verdict = ({ month }: { month: Month }) => {
  const differing = month.checks.filter(({ agrees }) => !agrees).length
  if (differing > 0)
    return (
      <Notice kind="problem" title={`${monthText(month.month)} cannot be closed`}>
        {countText(differing)} of {countText(month.checks.length)} totals differ. Find out why before anything
        is filed.{' '}
        <Link to="/payments/comparison" className="link">
          Compare with the gateway
        </Link>
      </Notice>
    )
  return month.canBeClosed ? (
    <Notice kind="done" title={`${monthText(month.month)} can be closed`}>
      Every total agrees with every other, and nothing waits.
    </Notice>
  ) : (
    <Notice kind="warning" title={`${monthText(month.month)} can be closed once nothing waits any more`}>
      Every total agrees with every other.
    </Notice>
  )
}

/** Whether a month's books are in order, and what is left to do for it. */
const MonthPage = () => {
  const { values, set } = useQueryString()
  const offered = months()
  const month = values.month ?? offered[1] ?? ''
  const query = useData('checkConsoleMonth', { querystring: { month } })
  return (
    <Page
      title="Close a month"
      lead="Each total is added up in two ways. A month goes by the days of London. Nothing is changed by looking."
      actions={
        <BareSelect aria-label="Month" value={month} onChange={({ target }) => set({ month: target.value })}>
          {offered.map((one) => (
            <option key={one} value={one}>
              {monthText(one)}
            </option>
          ))}
        </BareSelect>
      }
    >
      <Loaded query={query}>
        {(data) => (
          <div className="space-y-8">
            <Verdict month={data} />
            {data.waiting.length > 0 && (
              <Section title="What waits">
                <WaitingList items={data.waiting} />
              </Section>
            )}
            {data.canBeClosed && (
              <Section title="Next">
                <Next month={data} />
              </Section>
            )}
            {data.remarks.length > 0 && (
              <Section title="To tell the accountant">
                <WaitingList items={data.remarks} />
              </Section>
            )}
            <Section title="Totals">
              <ul className="divide-y divide-line">
                {data.checks.map((check) => (
                  <CheckLine key={check.check} check={check} />
                ))}
              </ul>
            </Section>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default MonthPage
