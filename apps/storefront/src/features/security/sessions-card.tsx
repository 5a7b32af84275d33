import type { Session } from '@hedgerow/contract/sessions'
import { SESSION_IDLE_DAYS, SESSION_LONGEST_DAYS } from '@hedgerow/domain/sessions'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { NotLoaded } from '#features/security/not-loaded.tsx'
import { SecurityCard } from '#features/security/security-card.tsx'
import { SECURITY_KEY, sessionsQuery } from '#features/security/security-queries.ts'
import { browserOf, lastUsed } from '#features/security/seen-from.ts'
import { api } from '#lib/api.ts'

/** `onEnded` is called once the buttons that ended them are gone. */
const useEndSessions = (onEnded: () => void) => {
  const queryClient = useQueryClient()
  const toast = useToast()
  const keep = (isKept: (session: Session) => boolean, said: string) => {
    queryClient.setQueryData(sessionsQuery.queryKey, (shown) => shown?.filter(isKept))
    toast(said)
    onEnded()
  }
  // Also after a refusal: what is shown has ended already.
  const onSettled = () => void queryClient.invalidateQueries({ queryKey: SECURITY_KEY })
  const one = useMutation({
    mutationFn: (sessionId: string) => api.call('endSession', { params: { sessionId } }),
    onSuccess: (_, ended) => keep(({ _id }) => _id !== ended, 'The session has been ended'),
    onSettled,
  })
  const others = useMutation({
    mutationFn: () => api.call('endOtherSessions', {}),
    onSuccess: () => keep(({ isCurrent }) => isCurrent, 'All other sessions have been ended'),
    onSettled,
  })
  return { one, others }
}

type SessionRowProps = { session: Session; isEnding: boolean; onEnd: () => void }

const SessionRow = ({ session, isEnding, onEnd }: SessionRowProps) => {
  const { network, lastUsedAt, isCurrent } = session
  const name = browserOf(session)
  return (
    <li className="flex items-center justify-between gap-4 py-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          <span>{name}</span>
          {isCurrent && <Badge tone="good">This session</Badge>}
        </p>
        <p className="text-sm wrap-anywhere text-quiet-ink">
          <span>{network && `Network ${network}. `}</span>
          <span>
            {isCurrent ? 'In use now.' : `Last used ${lastUsed(new Date(lastUsedAt), new Date())}.`}
          </span>
        </p>
      </div>
      {!isCurrent && (
        <Button
          variant="outline"
          className="shrink-0"
          busy={isEnding}
          onClick={onEnd}
          aria-label={`End ${name}`}
        >
          End
        </Button>
      )}
    </li>
  )
}

const Sessions = ({ sessions, onEnded }: { sessions: readonly Session[]; onEnded: () => void }) => {
  const { one, others } = useEndSessions(onEnded)
  const problem = [one, others].find(({ error, isPending }) => error && !isPending)?.error
  const count = sessions.filter(({ isCurrent }) => !isCurrent).length
  // The one that asks stands first, wherever it was used last.
  const rows = sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
  return (
    <>
      {problem && (
        <Notice kind="problem" title="The session was not ended" className="mb-4">
          {messageOf(problem)}
        </Notice>
      )}
      <ul className="divide-y divide-line border-y border-line">
        {rows.map((session) => (
          <SessionRow
            key={session._id}
            session={session}
            isEnding={one.isPending && one.variables === session._id}
            onEnd={() => {
              others.reset()
              one.mutate(session._id)
            }}
          />
        ))}
      </ul>
      {count > 1 && (
        <Button
          variant="outline"
          className="mt-5"
          busy={others.isPending}
          onClick={() => {
            one.reset()
            others.mutate()
          }}
        >
          {`End all others (${count})`}
        </Button>
      )}
    </>
  )
}

export const SessionsCard = () => {
  const { data, error, isFetching, refetch } = useQuery(sessionsQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = () => {
    if (data) return <Sessions sessions={data} onEnded={() => heading.current?.focus()} />
    if (error)
      return <NotLoaded what="The list" error={error} isFetching={isFetching} retry={() => void refetch()} />
    return <Skeleton label="Loading where you are logged in" lines={3} className="min-h-20 py-4" />
  }
  return (
    <SecurityCard
      title="Where you are logged in"
      lead={`End what you don’t recognise, then change your password. A session ends by itself when it is not used for ${SESSION_IDLE_DAYS} days, and after ${SESSION_LONGEST_DAYS} days in any case.`}
      headingRef={heading}
    >
      {shown()}
    </SecurityCard>
  )
}
