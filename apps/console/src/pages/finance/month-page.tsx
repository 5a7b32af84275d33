import { closeMonth } from '@hedgerow/contract/console/month'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Fragment } from 'react'
import { Link } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { countText, titleText, writtenSumText } from '#lib/format.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { Act } from '#shared/act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Month = ReplyOf<'checkConsoleMonth'>
type Check = Month['checks'][number]
type Waiting = Month['waiting'][number]
type Statement = ReplyOf<'getMonthStatement'>
type StatementLine = Statement['lines'][number]

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
  ['report-awaited', '/finance/settlement'],
])

/** There is one or none. */
const UNCOUNTED = ['month-runs', 'report-awaited']

const WaitingList = ({ items }: { items: readonly Waiting[] }) => (
  <ul className="divide-y divide-line">
    {items.map(({ kind, what, count }) => {
      const to = MENDED_AT.get(kind)
      return (
        <li key={kind} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
          <span>
            {titleText(what)} {!UNCOUNTED.includes(kind) && <Badge tone="quiet">{countText(count)}</Badge>}
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

const pounds = (sum: string | null) => (sum === null ? 'Not known' : writtenSumText(sum, 'GBP'))

/** '2026-10' → 'Oct 26'. */
const shortMonth = (month: string) =>
  new Date(`${month}-15T12:00:00Z`).toLocaleString('en-GB', { month: 'short', year: '2-digit' })

const LOOKS: Readonly<Record<StatementLine['kind'], string>> = {
  part: '',
  total: 'sm:text-lg font-semibold border-t-2 border-ink',
  beside: 'text-quiet-ink',
}

const StatementTable = ({ statement: { month, before, lines } }: { statement: Statement }) => (
  <table className="w-full tabular-nums">
    <caption className="sr-only">Statement of {monthText(month)}, in pounds</caption>
    <thead>
      <tr className="text-right text-sm text-quiet-ink">
        <td />
        <th scope="col" className="py-2 font-normal">
          {shortMonth(month)}
        </th>
        <th scope="col" className="py-2 pl-4 font-normal sm:pl-8">
          {shortMonth(before)}
        </th>
      </tr>
    </thead>
    <tbody className="divide-y divide-line">
      {lines.map(({ name, what, kind, pounds: sum, poundsBefore, sums }) => (
        <tr key={name} className={`align-baseline ${LOOKS[kind]}`}>
          <th scope="row" className="py-2 pr-4 text-left font-normal">
            {kind === 'total' ? <strong>{what}</strong> : what}
            {sums.length > 0 && (
              <span className="block text-sm font-normal text-quiet-ink">
                of which{' '}
                {sums.map((of, at) => (
                  <Fragment key={of.currency}>
                    {at > 0 && ', '}
                    <span className="whitespace-nowrap">{writtenSumText(of.sum, of.currency)}</span>
                  </Fragment>
                ))}
              </span>
            )}
          </th>
          <td className="py-2 text-right">{pounds(sum)}</td>
          <td className="py-2 pl-4 text-right text-quiet-ink sm:pl-8">{pounds(poundsBefore)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Corrections = ({ statement: { corrections } }: { statement: Statement }) => (
  <Section title="Changed since it was closed">
    <p className="mb-2 text-quiet-ink">
      What was closed stays as it was. Tell your accountant about these, or count them in the next month.
    </p>
    <ul className="divide-y divide-line tabular-nums">
      {corrections.map(({ what, closed, now, difference }) => (
        <li key={what} className="flex flex-wrap justify-between gap-x-4 py-2">
          <span>{what}</span>
          <span>
            {pounds(closed)}, now {pounds(now)}
            {difference !== null && (
              <strong className="ml-3">{`${Number(difference) > 0 ? '+' : ''}${pounds(difference)}`}</strong>
            )}
          </span>
        </li>
      ))}
    </ul>
  </Section>
)

const REFRESHED = ['getMonthStatement', 'checkConsoleMonth'] as const

const CloseAct = ({ statement, month }: { statement: Statement; month: Month }) => {
  const name = monthText(statement.month)
  const differing = month.checks.filter(({ agrees }) => !agrees).length
  return (
    <Act
      label={`Close ${name}`}
      title={`Close ${name}?`}
      may={closeMonth.permission}
      tone="solid"
      verb={`Close ${name}`}
      fields={
        month.canBeClosed
          ? []
          : [
              {
                name: 'reason',
                label: 'Reason',
                kind: 'words',
                most: 500,
                rows: 3,
                hint: 'Kept with the month, for your accountant.',
              },
            ]
      }
      run={({ reason }) =>
        api.call('closeMonth', {
          params: { month: statement.month },
          body: reason ? { reason } : {},
        })
      }
      done={(answer) => {
        const { isNew, by } = answer as ReplyOf<'closeMonth'>
        return isNew ? `${name} is closed` : `${name} was already closed by ${by}`
      }}
      refreshes={REFRESHED}
    >
      {month.canBeClosed ? (
        <p>
          All {countText(month.checks.length)} totals agree and nothing waits. The statement and the proofs
          are recorded with your name, for good. Later changes show as corrections.
        </p>
      ) : (
        <p>
          {differing > 0 && `${countText(differing)} of ${countText(month.checks.length)} totals differ. `}
          {month.waiting.length > 0 && 'Something still waits. '}
          To close it all the same, give a reason. It cannot be undone.
        </p>
      )}
    </Act>
  )
}

const ClosedNotice = ({ name, closed }: { name: string; closed: NonNullable<Statement['closed']> }) => (
  <Notice
    kind={closed.differed === 0 && closed.waited.length === 0 ? 'done' : 'info'}
    title={`${name} is closed`}
  >
    <p>
      <Time at={closed.at} /> by {closed.by}. {countText(closed.agreed)} of{' '}
      {countText(closed.agreed + closed.differed)} totals agreed.
    </p>
    {closed.reason && <p className="wrap-anywhere">Reason: {closed.reason}</p>}
  </Notice>
)

const isAwaited = ({ waiting }: Month) => waiting.some(({ kind }) => kind === 'report-awaited')

const Verdict = ({ month, statement }: { month: Month; statement: Statement }) => {
  const name = monthText(month.month)
  const differing = month.checks.filter(({ agrees }) => !agrees).length
  if (statement.closed) return <ClosedNotice name={name} closed={statement.closed} />
  if (differing > 0)
    return (
      <Notice
        kind={statement.isOver ? 'problem' : 'warning'}
        title={`${countText(differing)} of ${countText(month.checks.length)} totals differ`}
      >
        Find out why before you close {name}.{' '}
        <Link to="/payments/comparison" className="link">
          Compare with the gateway
        </Link>
      </Notice>
    )
  if (!statement.isOver || isAwaited(month))
    return (
      <Notice
        kind="info"
        title={statement.isOver ? 'Waiting for the gateway’s report' : `${name} is still running`}
      >
        {isAwaited(month) && !statement.isOver ? 'Waiting for the gateway’s report of the last days. ' : ''}
        Every total agrees so far.
      </Notice>
    )
  return month.canBeClosed ? (
    <Notice kind="done" title={`${name} can be closed`}>
      Every total agrees, and nothing waits.
    </Notice>
  ) : (
    <Notice kind="warning" title={`Something keeps ${name} open`}>
      Every total agrees. See what waits below.
    </Notice>
  )
}

const ChangedBefore = ({ statement: { changedBefore } }: { statement: Statement }) =>
  changedBefore.length > 0 && (
    <Notice kind="warning" title="Figures of an earlier month have changed since it was closed">
      {changedBefore.map((month) => (
        <Link key={month} to={`/finance/month?month=${month}`} className="link mr-4">
          See what changed in {monthText(month)}
        </Link>
      ))}
    </Notice>
  )

const Closing = ({ statement, month }: { statement: Statement; month: Month }) => {
  if (statement.closed || !statement.isOver) return null
  if (statement.closesFirst)
    return (
      <p className="text-quiet-ink">
        Months are closed one after another.{' '}
        <Link to={`/finance/month?month=${statement.closesFirst}`} className="link">
          {monthText(statement.closesFirst)} is next
        </Link>
      </p>
    )
  return statement.missingRates.length > 0 ? null : <CloseAct statement={statement} month={month} />
}

const Proofs = ({ month: { checks } }: { month: Month }) => {
  const differing = checks.filter(({ agrees }) => !agrees).length
  const differingFirst = checks.toSorted((one, other) => Number(one.agrees) - Number(other.agrees))
  return (
    <details open={differing > 0} className="rounded-card border border-line bg-surface px-4 print:hidden">
      <summary className="min-h-11 cursor-pointer py-3 font-semibold">
        {differing > 0
          ? `Proofs: ${countText(differing)} of ${countText(checks.length)} differ`
          : `Proofs: all ${countText(checks.length)} agree`}
      </summary>
      <p className="text-quiet-ink">Each total is added up in two ways.</p>
      <ul className="divide-y divide-line pb-2">
        {differingFirst.map((check) => (
          <CheckLine key={check.check} check={check} />
        ))}
      </ul>
    </details>
  )
}

const StatementSection = ({ statement }: { statement: Statement }) => (
  <Section
    title={monthText(statement.month)}
    actions={
      <span className="flex gap-2 print:hidden">
        <a
          href={`/api/v1/month-statement.csv?month=${statement.month}`}
          download
          className={buttonLook('quiet')}
        >
          CSV
        </a>
        <a href={`/api/v1/months/${statement.month}/pdf`} download className={buttonLook('quiet')}>
          PDF
        </a>
      </span>
    }
  >
    <StatementTable statement={statement} />
    <p className="mt-3 text-sm text-quiet-ink">
      In pounds, at the books’ rates of the month. Refunds count in the month in which they were sent.
      {statement.missingRates.length > 0 && (
        <>
          {' '}
          Not known while a rate is missing: {statement.missingRates.join(', ')}.{' '}
          <Link to="/finance/rates" className="link">
            Set it
          </Link>
        </>
      )}
    </p>
  </Section>
)

const Checked = ({ month, statement }: { month: Month; statement: Statement }) => (
  <div className="space-y-8">
    <Verdict month={month} statement={statement} />
    <Closing statement={statement} month={month} />
    {!statement.closed && month.waiting.length > 0 && (
      <Section title="What waits">
        <WaitingList items={month.waiting} />
      </Section>
    )}
    {(month.canBeClosed || statement.closed) && (
      <Section title="Next">
        <Next month={month} />
      </Section>
    )}
    {month.remarks.length > 0 && (
      <Section title="For the accountant">
        <WaitingList items={month.remarks} />
      </Section>
    )}
    <Proofs month={month} />
  </div>
)

/** What a month comes to, whether its books are in order, and its closing. */
const MonthPage = () => {
  const { values, set } = useQueryString()
  const offered = months()
  const month = values.month ?? offered[1] ?? ''
  const querystring = { month }
  const statement = useData('getMonthStatement', { querystring })
  const check = useData('checkConsoleMonth', { querystring })
  return (
    <Page
      title="Month"
      lead="What a month comes to, and its closing. Days are London’s."
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
      <div className="max-w-3xl space-y-8">
        <Loaded query={statement}>
          {(shown) => (
            <div className="space-y-8">
              <ChangedBefore statement={shown} />
              <StatementSection statement={shown} />
              {shown.corrections.length > 0 && <Corrections statement={shown} />}
              <Loaded query={check}>{(checked) => <Checked month={checked} statement={shown} />}</Loaded>
            </div>
          )}
        </Loaded>
      </div>
    </Page>
  )
}

export default MonthPage
