import { addCustomerNote, removeCustomerNote } from '@hedgerow/contract/console/customers'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import type { ReactNode } from 'react'
import { Link, useParams } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { CustomerActs } from '#pages/customers/customer-acts.tsx'
import { MAIL_WORDS } from '#pages/customers/mail-words.ts'
import { WhatHappened } from '#pages/customers/what-happened.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { ConnectionHelp } from '#shared/connection-help.tsx'
import { ConnectionBadge } from '#shared/connection-words.tsx'
import { KIND_WORDS, StateBadge } from '#shared/conversation-words.tsx'
import { Facts } from '#shared/facts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Money } from '#shared/money.tsx'
import { OrderBadge } from '#shared/order-badge.tsx'
import { Page } from '#shared/page.tsx'
import { PaymentBadge } from '#shared/payment-words.tsx'
import { Personal } from '#shared/personal.tsx'
import { Section } from '#shared/section.tsx'
import { useMay } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Customer = ReplyOf<'getCustomer'>
type Props = { customer: Customer }

const Person = ({ customer: { id, email, name } }: Props) => (
  <Personal
    may="customers.open"
    masked={
      <Facts
        facts={[
          ['Email', email],
          ['Name', name],
        ]}
      />
    }
    read={() => api.call('openCustomer', { params: { customerId: id } })}
  >
    {(person) => (
      <Facts
        facts={[
          ['Email', person.email],
          ['Name', person.name],
          ['First and last name', [person.firstName, person.lastName].filter(Boolean).join(' ')],
          ['Telephone', person.phone],
          ['Address', person.address.join(', ')],
        ]}
      />
    )}
  </Personal>
)

type RowsProps<Row> = {
  rows: readonly Row[]
  none: string
  more?: string
  row: (row: Row) => ReactNode
  keyOf: (row: Row) => string
}

const Rows = <Row,>({ rows, none, more, row, keyOf }: RowsProps<Row>) => (
  <>
    {rows.length === 0 && <p className="text-quiet-ink">{none}</p>}
    <ul className="divide-y divide-line">
      {rows.map((one) => (
        <li key={keyOf(one)} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
          {row(one)}
        </li>
      ))}
    </ul>
    {more && rows.length >= 10 && (
      <p className="mt-2">
        <Link to={more} className="link">
          Show all
        </Link>
      </p>
    )}
  </>
)

const Sold = ({ customer }: Props) => {
  const may = useMay()
  return (
    <>
      {may('payments.see') && (
        <Section title="Payments">
          <Rows
            rows={customer.recentPayments}
            none="None yet."
            more={`/payments?customerId=${customer.id}`}
            keyOf={({ id }) => id}
            row={({ id, createdAt, charged, status, outcome }) => (
              <>
                <Link to={`/payments/${id}`} className="link">
                  <Time at={createdAt} />
                </Link>
                <Money of={charged} />
                <PaymentBadge status={status} />
                <span className="text-quiet-ink">{outcome}</span>
              </>
            )}
          />
        </Section>
      )}
      {may('connections.see') && (
        <Section title="Connections">
          <Rows
            rows={customer.recentConnections}
            none="None yet."
            more={`/connections?customerId=${customer.id}`}
            keyOf={({ id }) => id}
            row={(connection) => (
              <>
                <Link to={`/connections/${connection.id}`} className="link">
                  {connection.name}
                </Link>
                <ConnectionBadge status={connection.status} />
                <span className="text-quiet-ink">
                  {connection.node}, ends <Time at={connection.expiresAt} as="day" none="never" />
                </span>
                <ConnectionHelp connection={connection} />
              </>
            )}
          />
        </Section>
      )}
      <Section title="Orders">
        <Rows
          rows={customer.orders}
          none="None yet."
          more={`/orders?customerId=${customer.id}`}
          keyOf={({ id }) => id}
          row={({ id, createdAt, what, total, status }) => (
            <>
              <Link to={`/orders/${id}`} className="link">
                <Time at={createdAt} />
              </Link>
              <span>{what}</span>
              <Money of={total} />
              <OrderBadge status={status} />
            </>
          )}
        />
      </Section>
    </>
  )
}

const Notes = ({ customer: { id, notes } }: Props) => (
  <Section
    title="Our notes"
    actions={
      <CallAct
        call="addCustomerNote"
        endpoint={addCustomerNote}
        label="Write a note"
        verb="Save"
        tone="outline"
        params={{ customerId: id }}
        refreshes={['getCustomer']}
      />
    }
  >
    <Rows
      rows={notes}
      none="None."
      keyOf={(note) => note.id}
      row={(note) => (
        <>
          <p className="w-full whitespace-pre-wrap">{note.text}</p>
          <span className="text-sm text-quiet-ink">
            {note.by}, <Time at={note.at} />
          </span>
          {note.isMine && (
            <span className="ml-auto">
              <CallAct
                call="removeCustomerNote"
                endpoint={removeCustomerNote}
                label="Remove"
                params={{ customerId: id, noteId: note.id }}
                refreshes={['getCustomer']}
              />
            </span>
          )}
        </>
      )}
    />
  </Section>
)

const Security = ({ customer: { security } }: Props) => (
  <Section title="Security">
    <Facts
      facts={[
        [
          'Second step',
          security.secondStepSince ? <Time key="s" at={security.secondStepSince} as="day" /> : 'none',
        ],
        [
          'Ends, as its owner said',
          security.secondStepEndsAt && <Time key="e" at={security.secondStepEndsAt} />,
        ],
        ['Passkeys', String(security.passkeys)],
        ['App', security.hasApp ? 'yes' : 'no'],
        ['Logged in', `${security.sessions} ${security.sessions === 1 ? 'browser' : 'browsers'}`],
      ]}
    />
    <h3 className="mt-4 mb-1 text-base">Lately</h3>
    <Rows
      rows={security.events}
      none="Nothing happened lately."
      keyOf={({ at, what }) => `${at} ${what}`}
      row={({ at, what, browser, times }) => (
        <>
          <span className="min-w-0 grow basis-56">
            {what}
            {times > 1 && ` (${times} times)`}
          </span>
          <span className="text-sm text-quiet-ink">
            {browser} <Time at={at} />
          </span>
        </>
      )}
    />
  </Section>
)

const Partner = ({ customer: { partner, promocode } }: Props) => (
  <Section title="As a partner">
    <Facts
      facts={[
        ['Promocode', promocode],
        ['Level', partner && `${partner.level}, ${partner.percentage}%`],
        ['Transactions', partner && String(partner.transactions)],
        ...(partner?.balances ?? []).map(
          ({ currency, available, pending, requested, paid, owing }) =>
            [
              currency,
              `${sumText(available)} available, ${sumText(pending)} pending, ${sumText(requested)} requested, ${sumText(paid)} paid${owing.minor > 0 ? `, owes ${sumText(owing)}` : ''}`,
            ] as const,
        ),
      ]}
    />
  </Section>
)

const CustomerPage = () => {
  const may = useMay()
  const { id = '' } = useParams<{ id: string }>()
  const customer = useData(
    'getCustomer',
    { params: { customerId: id } },
    { live: { kinds: ['payment', 'refund', 'conversation'] } },
  )
  return (
    <Page
      title={customer.data?.email ?? 'Customer'}
      name="Customer"
      up={{ to: '/customers', label: 'Customers' }}
      actions={customer.data && <CustomerActs customer={customer.data} />}
    >
      <Loaded query={customer}>
        {(data) => (
          <>
            {data.resetAsked && (
              <Notice kind="warning" title="A reset of the second step was asked for" className="mb-6">
                By {data.resetAsked.by}, <Time at={data.resetAsked.at} as="ago" />. Another operator has to
                agree within 24 hours.
              </Notice>
            )}
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <div className="space-y-6">
                <Section title="Who it is">
                  <div className="mb-4">
                    <Person customer={data} />
                  </div>
                  <Facts
                    facts={[
                      ['Since', <Time key="s" at={data.createdAt} />],
                      [
                        'Confirmed',
                        data.isConfirmed ? (
                          'yes'
                        ) : (
                          <Badge key="c" tone="warning">
                            not yet
                          </Badge>
                        ),
                      ],
                      [
                        'Mail',
                        data.mailReturned && (
                          <Badge key="m" tone="warning">
                            {MAIL_WORDS[data.mailReturned]}
                          </Badge>
                        ),
                      ],
                      ['Country', data.country],
                      ['Came by a partner', data.cameByReferral && 'yes'],
                      [
                        'Account',
                        <span key="i" className="font-mono text-sm">
                          {data.id}
                        </span>,
                      ],
                    ]}
                  />
                </Section>
                <Notes customer={data} />
                <Security customer={data} />
                <Partner customer={data} />
              </div>
              <div className="space-y-6">
                <WhatHappened customer={data} />
                {may('conversations.see') && (
                  <Section title="Conversations">
                    <Rows
                      rows={data.conversations}
                      none="None."
                      keyOf={(one) => one.id}
                      row={(one) => (
                        <>
                          <Link to={`/inbox/${one.id}`} className="link">
                            <Time at={one.lastMessageAt} />
                          </Link>
                          <span>{KIND_WORDS[one.kind]}</span>
                          <StateBadge state={one.state} />
                        </>
                      )}
                    />
                  </Section>
                )}
                <Sold customer={data} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default CustomerPage
