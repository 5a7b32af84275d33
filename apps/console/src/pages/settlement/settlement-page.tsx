import { explainBooking } from '@hedgerow/contract/console/settlement'
import { GATEWAY_TITLES } from '@hedgerow/domain/gateways'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { countText, sumText } from '#lib/format.ts'
import { FetchAct, ImportAct } from '#pages/settlement/take-in-acts.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Desk = ReplyOf<'getSettlementDesk'>

const ExplainAct = ({ booking: { id, kind, sum } }: { booking: Desk['open'][number] }) => (
  <CallAct
    call="explainBooking"
    endpoint={explainBooking}
    label="Explain"
    verb="Save"
    params={{ operationId: id }}
    refreshes={['getSettlementDesk', 'getToday']}
  >
    <p>
      What was this {kind} of {sumText(sum)}?
    </p>
  </CallAct>
)

const Open = ({ open }: Pick<Desk, 'open'>) =>
  open.length === 0 ? (
    <EmptyState title="Nothing is open">The shop knows everything that gateways have reported.</EmptyState>
  ) : (
    <Table
      caption="Bookings that the shop does not know"
      keyOf={({ id }) => id}
      rows={open}
      columns={[
        { header: 'Booking', isName: true, cell: ({ id }) => id },
        { header: 'Gateway', cell: ({ gateway }) => GATEWAY_TITLES[gateway] },
        { header: 'When', cell: ({ at }) => <Time at={at} /> },
        { header: 'Kind', cell: ({ kind }) => kind },
        { header: 'Amount', isNumber: true, cell: ({ sum }) => <Money of={sum} /> },
        {
          header: 'Payment',
          cell: ({ paymentId }) =>
            paymentId ? (
              <Link to={`/payments/${paymentId}`} className="link">
                {paymentId.slice(0, 8)}
              </Link>
            ) : (
              '–'
            ),
        },
        { header: 'What can be done', isBare: true, cell: (booking) => <ExplainAct booking={booking} /> },
      ]}
    />
  )

const Runs = ({ runs }: Pick<Desk, 'runs'>) =>
  runs.length === 0 ? (
    <EmptyState title="Nothing was fetched or imported yet">
      Fetch what the gateways booked, or import the Gate’s file.
    </EmptyState>
  ) : (
    <Table
      caption="What was fetched and imported"
      keyOf={({ id }) => id}
      rows={runs}
      columns={[
        { header: 'What', isName: true, cell: ({ what }) => what },
        { header: 'Gateway', cell: ({ gateway }) => GATEWAY_TITLES[gateway] },
        { header: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
        { header: 'From', cell: ({ from }) => <Time at={from} as="day" /> },
        { header: 'To', cell: ({ to }) => <Time at={to} as="day" /> },
        { header: 'New', isNumber: true, cell: ({ new: count }) => countText(count) },
        { header: 'Changed', isNumber: true, cell: ({ changed }) => countText(changed) },
        { header: 'Unchanged', isNumber: true, cell: ({ same }) => countText(same) },
        { header: 'Finished', cell: ({ endedAt }) => <Time at={endedAt} none="interrupted or running" /> },
      ]}
    />
  )

const SettlementPage = () => {
  const query = useData('getSettlementDesk', {})
  return (
    <Page
      title="Settlement"
      lead="What gateways booked: sales, refunds, chargebacks, fees and payouts, compared with the shop’s own records."
      actions={
        <>
          {query.data?.canFetch && <FetchAct />}
          <ImportAct />
          <Link to="/finance/settlement/comparison" className={buttonLook('outline')}>
            Compare a period
          </Link>
        </>
      }
    >
      <Loaded query={query}>
        {({ open, runs }) => (
          <div className="space-y-8">
            <Section title="Unexplained">
              <Open open={open} />
            </Section>
            <Section title="Fetched and imported">
              <Runs runs={runs} />
            </Section>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default SettlementPage
