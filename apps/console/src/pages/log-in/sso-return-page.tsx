import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useEffect, useState } from 'react'
import { api } from '#lib/api.ts'
import { Entrance } from '#shared/entrance.tsx'

/** What the provider sent along works once: it is sent once, and leaves the address. */
let finishing: ReturnType<typeof finish> | undefined
const finish = async () => {
  const query = window.location.search.slice(1)
  window.history.replaceState(null, '', window.location.pathname)
  return api.call('finishSso', { body: { query } })
}

const GO_TO = { in: '/', linked: '/account' } as const

/** Where operators come back to from their organisation's log-in. */
const SsoReturnPage = ({ onIn }: { onIn: (path: string) => void }) => {
  const [problem, setProblem] = useState('')
  useEffect(() => {
    finishing ??= finish()
    finishing.then(
      ({ outcome, invitation }) => {
        if (outcome === 'invited') window.location.replace(`/invitation#${invitation}`)
        else onIn(GO_TO[outcome])
      },
      (error: unknown) => setProblem(messageOf(error)),
    )
  }, [onIn])
  return (
    <Entrance title="Single sign-on">
      {problem ? (
        <div className="space-y-4">
          <FormNotice>{problem}</FormNotice>
          <Button onClick={() => window.location.assign('/')} className="w-full">
            Back to log-in
          </Button>
        </div>
      ) : (
        <Skeleton lines={3} />
      )}
    </Entrance>
  )
}

export default SsoReturnPage
