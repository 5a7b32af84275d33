import { ApiError } from '@hedgerow/contract/client'
import { Button, ButtonLink } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { LinkedConversation } from '#features/conversations/linked-conversation.tsx'
import { api } from '#lib/api.ts'
import { useLinkToken } from '#lib/use-link-token.ts'

const Shown = ({ token }: { token: string }) => {
  const queryKey = ['question', token]
  const queryClient = useQueryClient()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.call('readQuestion', { body: { token }, signal }),
  })
  if (error instanceof ApiError && error.status < 500 && error.status !== 429)
    return (
      <Notice kind="problem" title="This link does not work">
        <p>This link has expired or is incomplete. Ask us again, and we will send you a new one.</p>
        <ButtonLink to="/contact" variant="outline" className="mt-3">
          Ask a question
        </ButtonLink>
      </Notice>
    )
  if (data)
    return (
      <LinkedConversation
        token={token}
        conversation={data}
        onWritten={(written) => queryClient.setQueryData(queryKey, written)}
      />
    )
  if (error)
    return (
      <Notice kind="problem" title="Your question did not load">
        <p>{messageOf(error)}</p>
        <Button variant="outline" className="mt-3" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  return <Skeleton label="Loading your question" lines={6} />
}

/** Its address is mailed only to the address that the question was asked from. */
const QuestionPage = () => {
  const token = useLinkToken()
  return (
    <NarrowPage title="Your question">
      <Shown key={token} token={token} />
    </NarrowPage>
  )
}

export default QuestionPage
