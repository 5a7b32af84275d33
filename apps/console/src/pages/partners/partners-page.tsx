import { listConsolePartners } from '@hedgerow/contract/console/partners'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { columnsFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'

type Partner = ReplyOf<'listConsolePartners'>['rows'][number]

const PartnersPage = () => (
  <Page
    title="Partners"
    lead="Customers who referred others by link or promocode. Names are shown only when you ask for them."
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
      empty={{ title: 'No referral link or promocode has been used yet' }}
      columns={columnsFor<Partner>(listConsolePartners.columns)}
    />
  </Page>
)

export default PartnersPage
