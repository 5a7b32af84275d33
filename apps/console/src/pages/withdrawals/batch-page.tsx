import { Table } from '@hedgerow/ui/table.tsx'
import { Link, useParams } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { FileAgainAct, ReleaseBatchAct } from '#pages/withdrawals/bank-acts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Payout = ReplyOf<'getBatch'>['payouts'][number]

const standing = ({ releasedAt, releasedBecause, recalledAt, status }: Payout) => {
  if (!releasedAt && status === 'requested') return recalledAt ? 'recalled: do not pay it' : 'waiting'
  if (!releasedAt) return status
  return (
    <>
      taken out <Time at={releasedAt} /> ({releasedBecause})
    </>
  )
}

const isWaiting = ({ releasedAt, status }: Payout) => !releasedAt && status === 'requested'

const BatchPage = () => {
  const { id = '' } = useParams<{ id: string }>()
  const query = useData('getBatch', { params: { batchId: id } })
  const payouts = query.data?.payouts ?? []
  return (
    <Page
      title={`File ${id}`}
      up={{ to: '/withdrawals/files', label: 'Files for the bank' }}
      lead={
        query.data && (
          <>
            {query.data.kind === 'sepa' ? 'SEPA credit transfers (pain.001)' : 'A list (CSV)'}, made{' '}
            <Time at={query.data.createdAt} />, to be paid on {query.data.executionDay}.
          </>
        )
      }
      actions={
        <>
          {payouts.length > 0 && payouts.every(isWaiting) && <FileAgainAct batchId={id} />}
          {payouts.some(isWaiting) && <ReleaseBatchAct batchId={id} />}
        </>
      }
    >
      <Loaded query={query}>
        {(data) => (
          <Table
            caption="Payouts"
            keyOf={({ reference }) => reference}
            rows={data.payouts}
            columns={[
              {
                header: 'Reference',
                isName: true,
                cell: ({ reference, withdrawalId }) => (
                  <Link to={`/withdrawals/${withdrawalId}`} className="link">
                    {reference}
                  </Link>
                ),
              },
              { header: 'Amount', isNumber: true, cell: ({ sum }) => <Money of={sum} /> },
              { header: 'To', cell: ({ endsWith }) => (endsWith ? `…${endsWith}` : '–') },
              { header: 'Status', cell: standing },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

export default BatchPage
