import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { Link } from 'wouter'
import { countText } from '#lib/format.ts'
import { Loaded } from '#shared/loaded.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

const BatchesPage = () => {
  const query = useData('listBatches', {})
  return (
    <Page title="Files for the bank" up={{ to: '/withdrawals', label: 'Withdrawals' }}>
      <Loaded query={query}>
        {({ batches, hasMore }) =>
          batches.length === 0 ? (
            <EmptyState title="No file was made yet">Withdrawals that wait are put in one there.</EmptyState>
          ) : (
            <>
              <Table
                caption="Files for the bank"
                keyOf={({ id }) => id}
                rows={batches}
                columns={[
                  {
                    header: 'File',
                    isName: true,
                    cell: ({ id }) => (
                      <Link to={`/withdrawals/files/${id}`} className="link">
                        {id}
                      </Link>
                    ),
                  },
                  { header: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
                  { header: 'To be paid on', cell: ({ executionDay }) => executionDay },
                  { header: 'Sum', isNumber: true, cell: ({ sum }) => <Money of={sum} /> },
                  { header: 'Withdrawals', isNumber: true, cell: ({ count }) => countText(count) },
                  { header: 'Waiting', isNumber: true, cell: ({ waiting }) => countText(waiting) },
                  { header: 'Paid', isNumber: true, cell: ({ paid }) => countText(paid) },
                  { header: 'Taken out', isNumber: true, cell: ({ released }) => countText(released) },
                ]}
              />
              {hasMore && <p className="mt-3 text-quiet-ink">These are the newest.</p>}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

export default BatchesPage
