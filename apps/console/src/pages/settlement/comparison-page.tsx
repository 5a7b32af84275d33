import { GATEWAY_TITLES, GATEWAYS, type GatewayName } from '@hedgerow/domain/gateways'
import { STATEMENT_LINES } from '@hedgerow/domain/settlement'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { countText, sumText } from '#lib/format.ts'
import { sentFile } from '#lib/sent-file.ts'
import { DAYS, linesOf, writing } from '#pages/settlement/take-in-acts.tsx'
import { Act, type ActField } from '#shared/act.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Comparison = ReplyOf<'compareSettlement'>
type Booking = Comparison['onlyAtGateway'][number]

const Totals = ({ currencies }: Pick<Comparison, 'currencies'>) => (
  <>
    <Table
      caption="Totals"
      isShort
      keyOf={([what]) => what}
      rows={STATEMENT_LINES}
      columns={[
        { header: 'What', isName: true, cell: ([what]) => what },
        ...currencies.map((of) => ({
          header: of.currency,
          isNumber: true,
          cell: ([, name]: (typeof STATEMENT_LINES)[number]) => {
            const minor = of[name]
            return minor === null ? 'not reported' : sumText({ minor, currency: of.currency })
          },
        })),
      ]}
    />
    {currencies
      .filter(({ isOff }) => isOff)
      .map(({ currency }) => (
        <Notice key={currency} kind="problem" className="mt-4">
          The balance in {currency} does not add up: bookings are missing.
        </Notice>
      ))}
  </>
)

const PaymentLink = ({ id }: { id: string | null }) =>
  id ? (
    <Link to={`/payments/${id}`} className="link">
      {id.slice(0, 8)}
    </Link>
  ) : (
    '–'
  )

const Bookings = ({ title, rows }: { title: string; rows: readonly Booking[] }) =>
  rows.length > 0 && (
    <Section title={title}>
      <Table
        caption={title}
        keyOf={({ id }) => id}
        rows={rows}
        columns={[
          { header: 'Booking', isName: true, cell: ({ id }) => id },
          { header: 'When', cell: ({ at }) => <Time at={at} /> },
          { header: 'Kind', cell: ({ kind }) => kind },
          { header: 'Amount', isNumber: true, cell: ({ sum }) => <Money of={sum} /> },
          { header: 'Payment', cell: ({ paymentId }) => <PaymentLink id={paymentId} /> },
          { header: 'Explanation', cell: ({ explanation }) => explanation ?? '–' },
        ]}
      />
    </Section>
  )

const Plain = ({ title, items }: { title: string; items: readonly [string, ReactNode][] }) =>
  items.length > 0 && (
    <Section title={title}>
      <ul className="divide-y divide-line">
        {items.map(([key, item]) => (
          <li key={key} className="py-2">
            {item}
          </li>
        ))}
      </ul>
    </Section>
  )

const Bank = ({ of: { bankTotals, bankStatement } }: { of: Comparison }) => (
  <>
    {bankTotals && (
      <Section title="Payouts, and what the bank received">
        <Table
          caption="Payouts, and what the bank received"
          isShort
          keyOf={({ currency }) => currency}
          rows={bankTotals}
          columns={[
            { header: 'Currency', isName: true, cell: ({ currency }) => currency },
            {
              header: 'Paid out',
              isNumber: true,
              cell: ({ sentMinor: minor, currency }) => sumText({ minor, currency }),
            },
            {
              header: 'Received',
              isNumber: true,
              cell: ({ receivedMinor: minor, currency }) => sumText({ minor, currency }),
            },
          ]}
        />
      </Section>
    )}
    {bankStatement && (
      <>
        <Plain
          title="In the bank’s statement"
          items={[['received', `${countText(bankStatement.received)} payouts were found.`]]}
        />
        <Plain
          title="Not in the bank’s statement"
          items={bankStatement.missing.map(({ id, at, sum }) => [
            id,
            <span key={id}>
              {id}, <Time at={at} />, <Money of={sum} />
            </span>,
          ])}
        />
        <Plain
          title="Shortly before its end, and not in it yet"
          items={bankStatement.inTransit.map(({ id, sum }) => [id, `${id}, ${sumText(sum)}`])}
        />
        <Plain
          title="Credits that no payout is behind"
          items={bankStatement.strange.map(({ line, day, description, sum }) => [
            String(line),
            `Line ${line}, ${day}, ${sumText(sum)}: ${description}`,
          ])}
        />
      </>
    )}
  </>
)

const Told = ({ of }: { of: Comparison }) => (
  <div className="space-y-8">
    <Notice
      kind={of.isDifferent ? 'warning' : 'done'}
      title={`${GATEWAY_TITLES[of.gateway]}: ${of.isDifferent ? 'there are differences' : 'no differences'}`}
    >
      {countText(of.matched)} of {countText(of.operations)} bookings are in order.
      {of.operations === 0 && ' Nothing is known of these days: fetch them first.'}
      {of.operations > 0 && (!of.toldUpTo || of.toldUpTo < of.to) && ' They were not fetched to their end.'}
    </Notice>
    {of.currencies.length > 0 && (
      <Section title="Totals">
        <Totals currencies={of.currencies} />
      </Section>
    )}
    <Bookings title="Only the gateway knows of" rows={of.onlyAtGateway} />
    <Plain
      title="The gateway’s report lacks"
      items={of.onlyInShop.map(({ kind, id, at, sum, paymentId }) => [
        id,
        <span key={id}>
          {kind}, <Time at={at} />, <Money of={sum} />, payment <PaymentLink id={paymentId} />
        </span>,
      ])}
    />
    <Plain
      title="In sum or currency differ"
      items={of.differing.map(({ gateway, shop }) => [
        gateway.id,
        <span key={gateway.id}>
          {gateway.kind} {gateway.id}: <Money of={gateway.sum} /> at the gateway, <Money of={shop.sum} />{' '}
          here, payment <PaymentLink id={shop.paymentId} />
        </span>,
      ])}
    />
    <Bookings title="Explained" rows={of.explained} />
    <Bank of={of} />
  </div>
)

const BALANCE = (name: string, label: string) =>
  ({
    name,
    label,
    kind: 'words',
    most: 500,
    rows: 2,
    isOptional: true,
    hint: 'A line each, like EUR=123.45',
  }) as const

/** Whose bookings: those that have some, or all where none is known yet. */
const gatewayField = (reporting: readonly GatewayName[] = []): ActField => {
  const names = reporting.length > 0 ? reporting : GATEWAYS
  return {
    name: 'gateway',
    label: 'Gateway',
    kind: 'choice',
    first: names[0] ?? '',
    options: names.map((name) => [name, GATEWAY_TITLES[name]]),
  }
}

const ComparisonPage = () => {
  const [told, setTold] = useState<Comparison>()
  const { data: desk } = useData('getSettlementDesk', {})
  return (
    <Page
      title="Compare a period"
      up={{ to: '/finance/settlement', label: 'Settlement' }}
      lead="A gateway’s bookings against the shop and, if you like, your bank. Nothing is changed."
      actions={
        <Act
          label={told ? 'Compare another' : 'Choose a period'}
          title="Which days?"
          may="books.change"
          tone="solid"
          verb="Compare"
          fields={[
            gatewayField(desk?.gateways),
            ...DAYS,
            BALANCE('opening', 'Balance at the beginning, where the gateway reports none'),
            BALANCE('closing', 'Balance at the end'),
            BALANCE('bank', 'What the bank received in all'),
            { name: 'bankFile', label: 'The bank’s statement (CSV)', kind: 'file', isOptional: true },
            {
              name: 'bankCurrency',
              label: 'Its currency, where it has no column for it',
              isOptional: true,
            },
            {
              name: 'bankText',
              label: 'What the gateway’s credits have in their description',
              isOptional: true,
            },
            ...writing('bankDecimal', 'bankDays'),
          ]}
          run={async (
            {
              gateway,
              from = '',
              to = '',
              opening,
              closing,
              bank,
              bankCurrency,
              bankText,
              bankDecimal,
              bankDays,
            },
            files,
          ) => {
            const file = files.get('bankFile')
            setTold(
              await api.call('compareSettlement', {
                body: {
                  gateway: gateway as GatewayName,
                  from,
                  to,
                  opening: linesOf(opening),
                  closing: linesOf(closing),
                  bank: linesOf(bank),
                  bankFile: file && (await sentFile(file)),
                  bankColumns: [],
                  bankCurrency: bankCurrency || undefined,
                  bankText: bankText || undefined,
                  bankDecimal: (bankDecimal || undefined) as 'comma' | undefined,
                  bankDays: (bankDays || undefined) as 'dmy' | undefined,
                },
              }),
            )
          }}
        />
      }
    >
      {told ? <Told of={told} /> : <p>Choose the days first.</p>}
    </Page>
  )
}

export default ComparisonPage
