import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { countText } from '#lib/format.ts'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'

type Partner = ReplyOf<'listConsolePartners'>['rows'][number]

const PartnersPage = () => (
  <Page
    title="Partners"
    lead="Whoever brought customers by a link or a promocode, without names unless asked."
    actions={
      <>
        <Link to="/partners/rings" className={buttonLook('outline')}>
          Suspicious rings
        </Link>
        <Link to="/withdrawals?state=requested" className={buttonLook('outline')}>
          Withdrawals
        </Link>
      </>
    }
  >
    <List<Partner>
      call="listConsolePartners"
      file="/api/v1/partners.csv"
      caption="Partners"
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/partners/${id}`}
      empty={{ title: 'Nobody has followed a referral link or used a promocode yet' }}
      columns={[
        { name: 'promocode', title: 'Promocode', isName: true, cell: ({ promocode }) => promocode },
        { name: 'level', title: 'Level', isNumber: true, cell: ({ level }) => level },
        {
          name: 'percentage',
          title: 'Share',
          isNumber: true,
          cell: ({ percentage }) => `${percentage}%`,
        },
        {
          name: 'transactions',
          title: 'Transactions',
          sort: 'transactions',
          isNumber: true,
          cell: ({ transactions }) => countText(transactions),
        },
        {
          name: 'byPromocode',
          title: 'By promocode',
          isNumber: true,
          cell: ({ byPromocode }) => countText(byPromocode),
        },
        {
          name: 'crossings',
          title: 'Crossings',
          sort: 'crossings',
          isNumber: true,
          cell: ({ crossings }) => countText(crossings),
        },
      ]}
    />
  </Page>
)

export default PartnersPage
