import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { Link, useParams } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { countText } from '#lib/format.ts'
import { Rings } from '#pages/partners/rings.tsx'
import { Facts } from '#shared/facts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Partner = ReplyOf<'getConsolePartner'>

const Account = ({ balances }: { balances: Partner['balances'] }) =>
  balances.length === 0 ? (
    <p>Nothing earned yet.</p>
  ) : (
    <Table
      caption="Balances"
      keyOf={({ currency }) => currency}
      rows={balances}
      columns={[
        { header: 'Currency', isName: true, cell: ({ currency }) => currency },
        { header: 'Available', isNumber: true, cell: ({ available }) => <Money of={available} /> },
        { header: 'Held', isNumber: true, cell: ({ pending }) => <Money of={pending} /> },
        { header: 'Requested', isNumber: true, cell: ({ requested }) => <Money of={requested} /> },
        { header: 'Paid', isNumber: true, cell: ({ paid }) => <Money of={paid} /> },
        { header: 'Owes', isNumber: true, cell: ({ owing }) => <Money of={owing} /> },
      ]}
    />
  )

const Movements = ({ movements, hasMore }: Pick<Partner, 'movements' | 'hasMore'>) =>
  movements.length === 0 ? (
    <EmptyState title="No movement yet">Earnings, refunds and withdrawals appear here.</EmptyState>
  ) : (
    <>
      <Table
        caption="Movements"
        keyOf={({ id }) => id}
        rows={movements}
        columns={[
          { header: 'When', cell: ({ at }) => <Time at={at} /> },
          { header: 'What', isName: true, cell: ({ what }) => what },
          { header: 'Amount', isNumber: true, cell: ({ sum }) => <Money of={sum} /> },
          {
            header: 'For',
            cell: ({ paymentId, withdrawalId }) => {
              if (withdrawalId)
                return (
                  <Link to={`/withdrawals/${withdrawalId}`} className="link">
                    Withdrawal
                  </Link>
                )
              return (
                paymentId && (
                  <Link to={`/payments/${paymentId}`} className="link">
                    Payment
                  </Link>
                )
              )
            },
          },
        ]}
      />
      {hasMore && <p className="mt-3 text-quiet-ink">These are the newest movements.</p>}
    </>
  )

const PartnerPage = () => {
  const { id = '' } = useParams<{ id: string }>()
  const query = useData('getConsolePartner', { params: { partnerId: id }, querystring: {} })
  return (
    <Page
      title={query.data ? `Partner ${query.data.promocode}` : 'Partner'}
      up={{ to: '/partners', label: 'Partners' }}
    >
      <Loaded query={query}>
        {(data) => (
          <div className="space-y-8">
            <Section title="Overview">
              <Facts
                facts={[
                  [
                    'Level',
                    `${data.level}, ${data.percentage}%${data.next ? `; level ${data.next.level} from ${countText(data.next.transactions)} transactions` : ', the highest'}`,
                  ],
                  [
                    'Transactions',
                    `${countText(data.transactions)}, ${countText(data.byPromocode)} of them by promocode`,
                  ],
                  ['Crossings', countText(data.crossings)],
                  [
                    'Not counted',
                    `${countText(data.uncredited.ownCard)} paid with their own card, ${countText(data.uncredited.smallSpend)} too small`,
                  ],
                  [
                    'Promocode',
                    <Link key="p" to={`/promocodes/${data.promocode}`} className="link">
                      {data.promocode}
                    </Link>,
                  ],
                  [
                    'Account',
                    <Link key="a" to={`/customers/${data.id}`} className="link">
                      Customer page
                    </Link>,
                  ],
                  [
                    'Withdrawals',
                    <Link key="w" to={`/withdrawals?partnerId=${data.id}`} className="link">
                      Theirs
                    </Link>,
                  ],
                ]}
              />
            </Section>
            <Section title="Account">
              <Account balances={data.balances} />
            </Section>
            <Section title="Movements">
              <Movements movements={data.movements} hasMore={data.hasMore} />
            </Section>
            {data.rings.length > 0 && (
              <Section title="Rings">
                <Rings rings={data.rings} />
              </Section>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default PartnerPage
