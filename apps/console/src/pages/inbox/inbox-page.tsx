import { listInbox } from '@hedgerow/contract/console/inbox'
import { Badge } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { CannedReplies } from '#pages/inbox/canned-replies.tsx'
import { filtersFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'

type Conversation = ReplyOf<'listInbox'>['rows'][number]

const { kind: KIND, state: STATE } = listInbox.fields
const KIND_WORDS: Readonly<Record<string, string>> = Object.fromEntries(KIND.options)
const STATE_WORDS: Readonly<Record<string, string>> = Object.fromEntries(STATE.options)

export const StateBadge = ({ state }: { state: string }) => (
  <Badge tone={state === 'new' ? 'warning' : state === 'closed' || state === 'refused' ? 'quiet' : 'good'}>
    {STATE_WORDS[state]}
  </Badge>
)

const InboxPage = () => (
  <Page title="Inbox" actions={<CannedReplies />}>
    <List<Conversation>
      call="listInbox"
      file="/api/v1/inbox.csv"
      caption="Conversations"
      live={['conversation']}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/inbox/${id}`}
      filters={filtersFor(listInbox.fields)}
      columns={[
        {
          name: 'name',
          title: 'From',
          isName: true,
          cell: ({ name, isUnread }) => (
            <span className={isUnread ? 'font-bold' : 'font-normal'}>
              {name}
              {isUnread && (
                <>
                  <span className="ml-2 inline-block size-2 rounded-full bg-hedge" aria-hidden="true" />
                  <span className="sr-only"> (unread)</span>
                </>
              )}
            </span>
          ),
        },
        { name: 'state', title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
        {
          name: 'kind',
          title: 'Kind',
          cell: ({ kind, customerId }) => (customerId ? KIND_WORDS[kind] : 'Question'),
        },
        {
          name: 'lastMessageAt',
          title: 'Last message',
          sort: 'lastMessageAt',
          cell: ({ lastMessageAt }) => <Time at={lastMessageAt} as="ago" />,
        },
        { name: 'assignedTo', title: 'Answered by', cell: ({ assignedTo }) => assignedTo?.name ?? '–' },
      ]}
      empty={{ title: 'The inbox is empty', text: 'What people write appears here by itself.' }}
    />
  </Page>
)

export default InboxPage
