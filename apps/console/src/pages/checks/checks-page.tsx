import { Card } from '@hedgerow/ui/page/card.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { CheckRow } from '#shared/check-row.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { useData } from '#shared/use-data.ts'

const ASKED_EVERY_MS = 15_000

const ChecksPage = () => {
  const all = useData('listShopChecks', {}, { everyMs: ASKED_EVERY_MS })
  return (
    <Page
      title="Checks"
      lead="The shop looks at what it needs to sell every 45 seconds. Problems are emailed to you as well."
    >
      <Loaded query={all}>
        {(checks) =>
          checks.length === 0 ? (
            <EmptyState title="Not checked yet">The first results are here within a minute.</EmptyState>
          ) : (
            <Card>
              <ul className="divide-y divide-line">
                {checks.map((check) => (
                  <CheckRow key={`${check.name} ${check.machine}`} {...check} />
                ))}
              </ul>
            </Card>
          )
        }
      </Loaded>
    </Page>
  )
}

export default ChecksPage
