import { formatLocalTime } from '@hedgerow/domain/dates'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { SECURITY_KEY, securityQuery } from '#features/security/security-queries.ts'
import { api } from '#lib/api.ts'

/** Warns the owner, wherever they are logged in, that someone waits for the second step to end. Otherwise nothing. */
export const WayBackNotice = () => {
  const queryClient = useQueryClient()
  const toast = useToast()
  const { data } = useQuery(securityQuery)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.call('keepSecondStep', {}),
    onSuccess: () => {
      toast('The second step stays')
      // The notice goes, and its button with it.
      document.querySelector<HTMLElement>('main h1')?.focus()
      return queryClient.invalidateQueries({ queryKey: SECURITY_KEY })
    },
  })
  const endsAt = data?.secondStepEndsAt
  if (!endsAt) return null
  return (
    <Notice
      kind="warning"
      title={`Your second step ends on ${formatLocalTime(new Date(endsAt))}`}
      className="mb-6"
    >
      <p>
        Someone who knows your password said that your device is lost. If this was not you, keep the second
        step and{' '}
        <Link to="/forgot" className="link">
          choose a new password
        </Link>
        .
      </p>
      {error && !isPending && <p className="mt-2 text-berry">{messageOf(error)}</p>}
      <Button variant="outline" busy={isPending} className="mt-3" onClick={() => mutate()}>
        Keep the second step
      </Button>
    </Notice>
  )
}
