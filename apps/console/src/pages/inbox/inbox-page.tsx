import { Badge } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { CannedReplies } from '#pages/inbox/canned-replies.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'

type Conversation = ReplyOf<'listInbox'>['rows'][number]

const STATES = [
  ['new', 'New'],
  ['answered', 'Answered'],
  ['closed', 'Closed'],
  ['talking', 'Talking'],
  ['accepted', 'Accepted'],
  ['refused', 'Refused'],
] as const

const KINDS = [
  ['support', 'Support'],
  ['application', 'White label'],
] as const

const KIND_WORDS: Readonly<Record<string, string>> = Object.fromEntries(KINDS)
const STATE_WORDS: Readonly<Record<string, string>> = Object.fromEntries(STATES)

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
      filters={[
        { name: 'kind', label: 'Kind', kind: 'choice', options: KINDS },
        { name: 'state', label: 'State', kind: 'choice', options: STATES },
        {
          name: 'of',
          label: 'Whose',
          kind: 'choice',
          options: [
            ['me', 'Mine'],
            ['nobody', 'Nobody’s'],
          ],
        },
        { name: 'unread', label: 'Unread', kind: 'choice', options: [['yes', 'Unread only']] },
        { name: 'customerId', label: 'Customer', kind: 'hidden' },
      ]}
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
