import * as inbox from '@hedgerow/contract/console/inbox'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Link, useParams } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { ReplyForm } from '#pages/inbox/reply-form.tsx'
import { Act } from '#shared/act.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { ConnectionHelp } from '#shared/connection-help.tsx'
import { ConnectionBadge } from '#shared/connection-words.tsx'
import { StateBadge } from '#shared/conversation-words.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { PaymentBadge } from '#shared/payment-words.tsx'
import { Section } from '#shared/section.tsx'
import { useMay, useSession } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Conversation = ReplyOf<'openConversation'>
type Props = { conversation: Conversation }

const REFRESHED = ['openConversation', 'listInbox', 'getToday'] as const

const AssignAct = ({ conversation: { id, assignedTo } }: Props) => {
  const colleagues = useData('listColleagues', {})
  const { operator } = useSession()
  const params = { conversationId: id }
  const from = assignedTo?.id ?? null
  const shared = { may: 'conversations.reply', tone: 'quiet', refreshes: REFRESHED } as const
  return (
    <>
      {assignedTo?.id !== operator.id && (
        <Act
          {...shared}
          label="Assign to me"
          title="Answer this one yourself?"
          verb="Assign to me"
          run={() => api.call('assignInInbox', { params, body: { to: operator.id, from } })}
          done="It is yours"
        />
      )}
      <Act
        {...shared}
        label="Assign"
        title="Who answers it?"
        verb="Assign"
        fields={[
          {
            name: 'to',
            label: 'Operator',
            kind: 'choice',
            isOptional: true,
            none: 'Nobody yet',
            options: (colleagues.data ?? []).map(({ id: one, name }) => [one, name]),
          },
        ]}
        run={({ to }) => api.call('assignInInbox', { params, body: { to: to || null, from } })}
        done="Assigned"
      />
    </>
  )
}

const Acts = ({ conversation }: Props) => {
  const { id, kind, state } = conversation
  const params = { conversationId: id }
  return (
    <>
      <AssignAct conversation={conversation} />
      {kind === 'support' && state !== 'closed' && (
        <CallAct
          call="closeInInbox"
          endpoint={inbox.closeInInbox}
          label="Close"
          params={params}
          refreshes={REFRESHED}
        />
      )}
      {kind === 'application' && (
        <CallAct
          call="decideInInbox"
          endpoint={inbox.decideInInbox}
          label="Decide"
          verb="Save"
          tone="solid"
          params={params}
          refreshes={REFRESHED}
        />
      )}
    </>
  )
}

const Messages = ({ conversation: { messages, name } }: Props) => (
  <ol className="space-y-4">
    {messages.map(({ id, author, by, text, at }) => (
      <li
        key={id}
        className={`max-w-[90%] rounded-card border border-line p-4 ${author === 'operator' ? 'ml-auto bg-hedge-tint' : 'bg-surface'}`}
      >
        <p className="mb-1 flex flex-wrap justify-between gap-x-4 text-sm text-quiet-ink">
          <span>{author === 'operator' ? (by ?? 'The shop') : name}</span>
          <Time at={at} />
        </p>
        <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
      </li>
    ))}
  </ol>
)

/** Who writes, at a glance: what they bought, and how it stands. */
const Beside = ({ customerId }: { customerId: string }) => {
  const customer = useData('getCustomer', { params: { customerId } }, { live: { kinds: ['payment'] } })
  return (
    <Section
      title="The customer"
      actions={
        <Link to={`/customers/${customerId}`} className="link">
          Their page
        </Link>
      }
    >
      <Loaded query={customer}>
        {(data) => (
          <div className="space-y-4">
            <p>
              {data.email}, since <Time at={data.createdAt} as="day" />
              {!data.isConfirmed && ', not confirmed'}
            </p>
            {data.recentConnections.length + data.recentPayments.length === 0 && (
              <p className="text-quiet-ink">Has bought nothing yet.</p>
            )}
            <ul className="divide-y divide-line">
              {data.recentConnections.slice(0, 5).map((connection) => (
                <li key={connection.id} className="flex flex-wrap items-center gap-x-2 py-1.5">
                  <Link to={`/connections/${connection.id}`} className="link">
                    {connection.name}
                  </Link>
                  <ConnectionBadge status={connection.status} />
                  <span className="text-sm text-quiet-ink">
                    ends <Time at={connection.expiresAt} as="day" none="never" />
                  </span>
                  <ConnectionHelp connection={connection} />
                </li>
              ))}
            </ul>
            <ul className="divide-y divide-line">
              {data.recentPayments.slice(0, 5).map((payment) => (
                <li key={payment.id} className="flex flex-wrap items-center gap-x-2 py-1.5">
                  <Link to={`/payments/${payment.id}`} className="link">
                    {sumText(payment.charged)}
                  </Link>
                  <PaymentBadge status={payment.status} />
                  <span className="text-sm text-quiet-ink">
                    <Time at={payment.createdAt} as="day" /> {payment.outcome}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Loaded>
    </Section>
  )
}

const ConversationPage = () => {
  const { id = '' } = useParams<{ id: string }>()
  const may = useMay()
  const conversation = useData(
    'openConversation',
    { params: { conversationId: id } },
    { live: { kinds: ['conversation'], id }, isEnabled: may('conversations.open'), isRecorded: true },
  )
  if (!may('conversations.open'))
    return (
      <Page title="Conversation" up={{ to: '/inbox', label: 'Inbox' }}>
        <Notice kind="info">Your role sees that there is a conversation, and not what was written.</Notice>
      </Page>
    )
  const data = conversation.data
  return (
    <Page
      title={data?.name ?? 'Conversation'}
      name="Conversation"
      up={{ to: '/inbox', label: 'Inbox' }}
      lead={
        data && (
          <span className="inline-flex flex-wrap items-center gap-2">
            <StateBadge state={data.state} />
            {data.assignedTo ? `Assigned to ${data.assignedTo.name}` : 'Not assigned'}
          </span>
        )
      }
      actions={data && <Acts conversation={data} />}
    >
      <Loaded query={conversation}>
        {(found) => (
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="space-y-6">
              <Messages conversation={found} />
              {may('conversations.reply') && (
                <ReplyForm
                  conversationId={found.id}
                  after={found.messages.at(-1)?.id ?? found.id}
                  canClose={found.kind === 'support'}
                />
              )}
            </div>
            {found.customerId && may('customers.see') ? (
              <Beside customerId={found.customerId} />
            ) : (
              <Notice kind="info">Written without an account, from {found.email}.</Notice>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default ConversationPage
