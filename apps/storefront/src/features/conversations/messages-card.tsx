import { Button } from '@hedgerow/ui/button.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ConversationThread } from '#features/conversations/conversation-thread.tsx'
import { conversationsQuery, useShowConversation } from '#features/conversations/conversations-query.ts'
import { usePageSearch } from '#lib/use-page-search.ts'
import { useSession } from '#shared/session.tsx'

/** What the customer has written to us, and our answers; and where one writes to us. */
export const MessagesCard = () => {
  const { profile } = useSession()
  const { data, error, refetch, isFetching } = useQuery(conversationsQuery)
  const show = useShowConversation()
  const toast = useToast()
  const wanted = usePageSearch().get('conversation')
  if (!profile) return null
  if (!data && error) {
    return (
      <Notice kind="problem" title="Your messages did not load">
        <p>{messageOf(error)}</p>
        <Button variant="outline" className="mt-3" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  }
  if (!data) return null
  const isWantedThere = data.some(({ _id }) => _id === wanted)
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="text-xl">Messages</h2>
        <Link to="/support" className="link inline-flex min-h-11 items-center">
          Write to support
        </Link>
      </div>
      <p className="mt-1 mb-5 max-w-measure text-quiet-ink">
        {data.length === 0
          ? 'You have not written to us yet. A person reads what you write, and answers here and by email.'
          : 'What you wrote to us, and our answers. Answers reach you by email too.'}
      </p>
      {data.map((conversation, position) => (
        <ConversationThread
          key={conversation._id}
          accountId={profile._id}
          conversation={conversation}
          isOpen={!isWantedThere && position === 0}
          isWanted={conversation._id === wanted}
          onWritten={(written) => {
            show(written)
            toast('Your message has been sent')
          }}
        />
      ))}
    </Card>
  )
}
