import { WITHDRAWAL_STATUSES } from '@hedgerow/domain/withdrawals'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Link } from 'wouter'
import { useBringInAnswers, useMakeFile } from '#pages/withdrawals/bank-acts.tsx'
import { type Withdrawal, WithdrawalBadge } from '#pages/withdrawals/withdrawal-words.tsx'
import { List } from '#shared/list.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'

const STATES = WITHDRAWAL_STATUSES.map((state) => [state, state] as const)

const WithdrawalsPage = () => {
  const making = useMakeFile()
  const answers = useBringInAnswers()
  return (
    <Page
      title="Withdrawals"
      lead="The shop sends no money itself: make a file for your bank, then bring in its answer."
      actions={
        <>
          {making.act}
          {answers.act}
          <Link to="/withdrawals/files" className={buttonLook('quiet')}>
            Files
          </Link>
        </>
      }
    >
      {making.notice}
      {answers.notice}
      <List<Withdrawal>
        call="listConsoleWithdrawals"
        file="/api/v1/withdrawals.csv"
        caption="Withdrawals"
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/withdrawals/${id}`}
        live={['withdrawal']}
        filters={[
          { name: 'state', label: 'State', kind: 'choice', options: STATES },
          {
            name: 'currency',
            label: 'Currency',
            kind: 'choice',
            options: [
              ['EUR', 'EUR'],
              ['GBP', 'GBP'],
            ],
          },
          { name: 'partnerId', label: 'Partner', kind: 'hidden' },
        ]}
        empty={{ title: 'Nobody has asked for money yet' }}
        columns={[
          {
            name: 'createdAt',
            title: 'Asked for',
            sort: 'createdAt',
            isName: true,
            cell: ({ createdAt }) => <Time at={createdAt} />,
          },
          { name: 'sum', title: 'Sum', isNumber: true, cell: ({ sum }) => <Money of={sum} /> },
          { name: 'status', title: 'State', cell: (row) => <WithdrawalBadge of={row} /> },
          { name: 'endsWith', title: 'To', cell: ({ endsWith }) => (endsWith ? `…${endsWith}` : '–') },
          {
            name: 'owing',
            title: 'Owes back',
            isNumber: true,
            cell: ({ owing }) => (owing.minor > 0 ? <Money of={owing} /> : '–'),
          },
          {
            name: 'batch',
            title: 'File',
            cell: ({ batch }) =>
              batch ? (
                <Link to={`/withdrawals/files/${batch}`} className="link">
                  {batch}
                </Link>
              ) : (
                '–'
              ),
          },
          { name: 'endedAt', title: 'Ended', isExtra: true, cell: ({ endedAt }) => <Time at={endedAt} /> },
        ]}
      />
    </Page>
  )
}

export default WithdrawalsPage
