import type { Withdrawal } from '@hedgerow/contract/partnership'
import type { WithdrawalStatus } from '@hedgerow/domain/withdrawals'
import { Badge, type BadgeTone } from '@hedgerow/ui/badge.tsx'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { type Column, Table } from '@hedgerow/ui/table.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { saveFile } from '@hedgerow/web/save-file.ts'
import { useQuery } from '@tanstack/react-query'
import { withdrawalsQuery } from '#features/partnership/partnership-queries.ts'
import { api } from '#lib/api.ts'
import { DocumentButton } from '#shared/document-button.tsx'
import { formatAmount } from '#shared/format-amount.ts'
import { Time } from '#shared/time.tsx'

const STATES: Record<WithdrawalStatus, { text: string; tone: BadgeTone }> = {
  requested: { text: 'Requested', tone: 'quiet' },
  paid: { text: 'Paid', tone: 'good' },
  refused: { text: 'Refused', tone: 'bad' },
}

const METHODS = { iban: 'IBAN', sort_code: 'Account' } as const

const downloadDocument = async (withdrawalId: string): Promise<void> => {
  const pdf = await api.call('getCommissionDocument', { params: { withdrawalId } })
  saveFile('commission.pdf', pdf, pdf.type)
}

const COLUMNS: Column<Withdrawal>[] = [
  {
    header: 'Requested on',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { header: 'To', cell: ({ method, endsWith }) => `${METHODS[method]} …${endsWith}` },
  {
    header: 'Status',
    cell: ({ _id, status, reason, reference, document, endedAt }) => (
      <>
        <Badge tone={STATES[status].tone}>{STATES[status].text}</Badge>
        {reason && <span className="mt-1 block text-sm wrap-anywhere text-quiet-ink">{reason}</span>}
        {reference && (
          <span className="mt-1 block text-sm wrap-anywhere text-quiet-ink">Reference {reference}</span>
        )}
        {document && (
          <span className="block">
            <DocumentButton kind="Document" number={document} onGet={() => downloadDocument(_id)} />
          </span>
        )}
        {endedAt && <Time at={endedAt} isDay className="mt-1 block text-sm text-quiet-ink" />}
      </>
    ),
  },
  {
    header: 'Amount',
    cell: ({ amount, currency }) => (
      <span className="font-medium whitespace-nowrap">{formatAmount(amount, currency)}</span>
    ),
    isNumber: true,
  },
]

/** The withdrawals that were requested, and what came of them; nothing where there are none. */
export const Withdrawals = () => {
  const { data, error, refetch, isFetching } = useQuery(withdrawalsQuery)
  if (!data && error) {
    return (
      <Notice kind="problem" title="Your withdrawals did not load" className="mt-8">
        <p>{messageOf(error)}</p>
        <Button variant="outline" className="mt-3" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  }
  if (!data) return <Skeleton label="Loading your withdrawals" lines={2} className="mt-8" />
  if (data.length === 0) return null
  return (
    <div className="mt-8">
      <h3 className="mb-3 text-lg">Withdrawals</h3>
      <Table caption="Withdrawals" columns={COLUMNS} rows={data} keyOf={({ _id }) => _id} />
    </div>
  )
}
