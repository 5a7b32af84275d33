import { closeStatement, listStatements } from '@hedgerow/contract/console/statements'
import { formatDate } from '@hedgerow/domain/dates'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Link } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { CallAct } from '#shared/call-act.tsx'
import { filtersFor } from '#shared/call-list.tsx'
import { Facts } from '#shared/facts.tsx'
import { FilterBar } from '#shared/filter-bar.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Personal } from '#shared/personal.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Statement = ReplyOf<'listStatements'>['rows'][number]

const Words = ({ statement }: { statement: Statement }) => (
  <Personal
    masked={
      <p className="text-quiet-ink">
        {statement.name}, {statement.email}
      </p>
    }
    may="customers.open"
    label="Open"
    read={() => api.call('openStatement', { params: { statementId: statement.id } })}
  >
    {({ name, email, contract, message, customerId, receivedAt }) => (
      <>
        <Facts
          facts={[
            ['From', `${name} <${email}>, not verified`],
            ['Contract', contract],
            ['Message', message && <span className="whitespace-pre-wrap">{message}</span>],
            [
              'Account',
              customerId ? (
                <Link to={`/customers/${customerId}`} className="link">
                  The one with this address
                </Link>
              ) : (
                'none has this address'
              ),
            ],
          ]}
        />
        {customerId && (
          <p className="mt-2 text-quiet-ink">
            To cancel a purchase as of this statement, open its payment and say that they asked{' '}
            <Time at={receivedAt} />.
          </p>
        )}
      </>
    )}
  </Personal>
)

const One = ({ statement }: { statement: Statement }) => (
  <Card isSnug>
    <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
      <h2 className="text-lg">
        Received <Time at={statement.receivedAt} />{' '}
        {statement.isOpen ? <Badge tone="warning">open</Badge> : <Badge tone="quiet">closed</Badge>}
      </h2>
      {statement.isOpen && (
        <CallAct
          call="closeStatement"
          endpoint={closeStatement}
          label="Close"
          params={{ statementId: statement.id }}
          refreshes={['listStatements', 'getToday']}
        />
      )}
    </div>
    {statement.refundDueBy && (
      <p className="mb-2">
        What it gives back must be sent by {formatDate(new Date(statement.refundDueBy))}.
      </p>
    )}
    {!statement.isAcknowledged && (
      <p className="mb-2">
        Its receipt was not acknowledged: this address was sent too many mails. Acknowledge it by hand.
      </p>
    )}
    {statement.others > 0 && (
      <p className="mb-2">
        {statement.others} more of this sender {statement.others === 1 ? 'is' : 'are'} open, and appear here
        as you close this one.
      </p>
    )}
    <Words statement={statement} />
  </Card>
)

const StatementsPage = () => {
  const { values, set } = useQueryString()
  const isAll = values.all === 'true'
  const query = useData('listStatements', {
    querystring: {
      ...(isAll ? { all: 'true' } : {}),
      ...(values.after ? { after: values.after } : {}),
    },
  })
  return (
    <Page
      title="Cancellations without a log-in"
      lead="Statements sent through the cancellation page. To cancel the purchase itself, open its payment."
    >
      <div className="mb-4">
        <FilterBar filters={filtersFor(listStatements.fields)} values={values} onChange={set} />
      </div>
      <Loaded query={query}>
        {({ rows: statements, next }) =>
          statements.length === 0 ? (
            <EmptyState title="Nothing is open" />
          ) : (
            <div className="space-y-4">
              {statements.map((statement) => (
                <One key={statement.id} statement={statement} />
              ))}
              {next && (
                <Link to={`?${new URLSearchParams({ ...values, after: next })}`} className="link">
                  Older
                </Link>
              )}
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

export default StatementsPage
