import { listBatches } from '@hedgerow/contract/console/payout-batches'
import type { ReplyOf } from '#lib/api.ts'
import { columnsFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'

type Batch = ReplyOf<'listBatches'>['rows'][number]

const BatchesPage = () => (
  <Page title="Files for the bank" up={{ to: '/withdrawals', label: 'Withdrawals' }}>
    <List<Batch>
      call="listBatches"
      file="/api/v1/batches.csv"
      caption="Files for the bank"
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/withdrawals/files/${id}`}
      filters={[]}
      columns={columnsFor<Batch>(listBatches.columns)}
      empty={{ title: 'No file was made yet', text: 'Withdrawals that wait are put in one there.' }}
    />
  </Page>
)

export default BatchesPage
