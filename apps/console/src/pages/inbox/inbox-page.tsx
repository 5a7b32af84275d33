import { listInbox } from '@hedgerow/contract/console/inbox'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { timeText, waitText } from '#lib/format.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { CannedReplies } from '#pages/inbox/canned-replies.tsx'
import { filtersFor } from '#shared/call-list.tsx'
import { KIND_WORDS, StateBadge } from '#shared/conversation-words.tsx'
import { List } from '#shared/list.tsx'
import type { ListColumn } from '#shared/list-columns.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'

type Conversation = ReplyOf<'listInbox'>['rows'][number]

const DAY_MS = 86_400_000

/** Who has waited for a day stands out. */
const Waiting = ({ since }: { since: string | null }) => {
  if (since === null) return '–'
  const isLong = Date.now() - new Date(since).getTime() > DAY_MS
  return (
    <time
      dateTime={since}
      title={`Since ${timeText(since)}`}
      className={`whitespace-nowrap tabular-nums ${isLong ? 'font-medium text-berry' : ''}`}
    >
      {waitText(since)}
    </time>
  )
}

const From = ({ conversation: { name, kind, customerId, isUnread } }: { conversation: Conversation }) => (
  <span className={isUnread ? 'font-bold' : 'font-normal'}>
    {name}
    {isUnread && (
      <>
        <span className="ml-2 inline-block size-2 rounded-full bg-hedge" aria-hidden="true" />
        <span className="sr-only"> (unread)</span>
      </>
    )}
    {(kind === 'application' || !customerId) && (
      <span className="ml-2 inline-block text-sm font-normal text-quiet-ink">
        {kind === 'application' ? KIND_WORDS[kind] : 'No account'}
      </span>
    )}
  </span>
)

const NAME: ListColumn<Conversation> = {
  name: 'name',
  title: 'From',
  isName: true,
  cell: (conversation) => <From conversation={conversation} />,
  below: ({ topic }) => topic ?? 'Your role does not see what was written',
}

const ASSIGNED: ListColumn<Conversation> = {
  name: 'assignedTo',
  title: 'Assigned to',
  onPhone: 'hidden',
  cell: ({ assignedTo }) => <span className="whitespace-nowrap">{assignedTo?.name ?? '–'}</span>,
}

const WAITING: readonly ListColumn<Conversation>[] = [
  NAME,
  {
    name: 'waitingSince',
    title: 'Waiting',
    onPhone: 'lead',
    cell: ({ waitingSince }) => <Waiting since={waitingSince} />,
  },
  ASSIGNED,
]

const ALL: readonly ListColumn<Conversation>[] = [
  NAME,
  { name: 'state', title: 'Status', onPhone: 'lead', cell: ({ state }) => <StateBadge state={state} /> },
  {
    name: 'lastMessageAt',
    title: 'Last message',
    sort: 'lastMessageAt',
    onPhone: 'hidden',
    cell: ({ lastMessageAt }) => <Time at={lastMessageAt} as="ago" />,
  },
  ASSIGNED,
]

const TAB = 'inline-flex min-h-11 items-center border-b-2 px-1 font-medium'

const View = ({ to, isHere, children }: { to: string; isHere: boolean; children: string }) => (
  <Link
    to={to}
    aria-current={isHere ? 'page' : undefined}
    className={`${TAB} ${isHere ? 'border-hedge text-hedge' : 'border-transparent text-quiet-ink hover:text-hedge'}`}
  >
    {children}
  </Link>
)

/** It opens on what needs an answer, the longest waiting first; an address that asks for a status or customer shows all of it. */
const InboxPage = () => {
  const { values } = useQueryString()
  const isAll = values.view === 'all' || Boolean(values.state ?? values.customerId)
  const filters = filtersFor(listInbox.fields).filter(
    ({ name }) => name !== 'waits' && (isAll || name !== 'state'),
  )
  return (
    <Page title="Inbox" actions={<CannedReplies />}>
      <nav aria-label="Views" className="mb-4 flex gap-6 border-b border-line">
        <View to="/inbox" isHere={!isAll}>
          Needs an answer
        </View>
        <View to="/inbox?view=all" isHere={isAll}>
          All
        </View>
      </nav>
      <List<Conversation>
        key={isAll ? 'all' : 'waiting'}
        call="listInbox"
        file="/api/v1/inbox.csv"
        caption="Conversations"
        live={['conversation']}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/inbox/${id}`}
        filters={filters}
        {...(isAll ? {} : { fixed: { waits: 'yes', sort: 'waitingSince' } })}
        columns={isAll ? ALL : WAITING}
        empty={
          isAll
            ? { title: 'The inbox is empty', text: 'Messages appear here as they arrive.' }
            : { title: 'Everyone has an answer', text: 'New messages appear here as they arrive.' }
        }
      />
    </Page>
  )
}

export default InboxPage
