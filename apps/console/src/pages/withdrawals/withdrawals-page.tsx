import { listConsoleWithdrawals } from '@hedgerow/contract/console/withdrawals'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Link } from 'wouter'
import { useBringInAnswers, useMakeFile } from '#pages/withdrawals/bank-acts.tsx'
import { type Withdrawal, WithdrawalBadge } from '#pages/withdrawals/withdrawal-words.tsx'
import { columnsFor, filtersFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'

const WithdrawalsPage = () => {
  const making = useMakeFile()
  const answers = useBringInAnswers()
  return (
    <Page
      title="Withdrawals"
      lead="The shop sends no money itself: make a file for your bank, then import its answer."
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
        filters={filtersFor(listConsoleWithdrawals.fields)}
        empty={{ title: 'No one has requested a withdrawal yet' }}
        columns={columnsFor<Withdrawal>(listConsoleWithdrawals.columns, {
          status: (row) => <WithdrawalBadge of={row} />,
          endsWith: ({ endsWith }) => (endsWith ? `…${endsWith}` : '–'),
          owing: ({ owing }) => (owing.minor > 0 ? <Money of={owing} /> : '–'),
          batch: ({ batch }) =>
            batch && (
              <Link to={`/withdrawals/files/${batch}`} className="link">
                {batch}
              </Link>
            ),
          partnerId: ({ partnerId }) =>
            partnerId && (
              <Link to={`/partners/${partnerId}`} className="link">
                {partnerId.slice(0, 8)}
              </Link>
            ),
        })}
      />
    </Page>
  )
}

export default WithdrawalsPage
