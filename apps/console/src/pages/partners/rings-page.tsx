import { Card } from '@hedgerow/ui/page/card.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Rings } from '#pages/partners/rings.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { useData } from '#shared/use-data.ts'

const RingsPage = () => {
  const query = useData('listRings', { querystring: {} })
  return (
    <Page
      title="Suspicious rings"
      up={{ to: '/partners', label: 'Partners' }}
      lead="Accounts that credit the same partner, or are the partner’s own, and paid with the same card or from the same network. Networks are remembered for 90 days. A household or an office can be one network."
    >
      <Loaded query={query}>
        {({ rings, hasMore }) =>
          rings.length === 0 ? (
            <EmptyState title="None">
              No accounts that credit a partner have paid with the same card or from the same network.
            </EmptyState>
          ) : (
            <Card isSnug>
              <Rings rings={rings} />
              {hasMore && <p className="mt-4 text-quiet-ink">Only those that paid the most are shown.</p>}
            </Card>
          )
        }
      </Loaded>
    </Page>
  )
}

export default RingsPage
