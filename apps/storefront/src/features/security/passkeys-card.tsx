import { MOST_PASSKEYS } from '@hedgerow/domain/passkeys'
import { Button } from '@hedgerow/ui/button.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { PasskeyRow } from '#features/security/passkey-row.tsx'
import { SECURITY_KEY, securityQuery } from '#features/security/security-queries.ts'
import { api } from '#lib/api.ts'
import { PasskeyButton, type Passkeys } from '#shared/passkey-button.tsx'

const EXPLAINED =
  'A passkey logs you in with your fingerprint, your face or the PIN of your device, so you type no password.'

/** The account's passkeys: what each is called, and when it was used. */
export const PasskeysCard = () => {
  const { data, error, refetch, isFetching } = useQuery(securityQuery)
  const queryClient = useQueryClient()
  const toast = useToast()
  const heading = useRef<HTMLHeadingElement>(null)

  const reload = () => queryClient.invalidateQueries({ queryKey: SECURITY_KEY })

  const add = async ({ make }: Passkeys) => {
    const made = await make(await api.call('beginPasskey', {}))
    await api.call('addPasskey', { body: { ...made, name: '' } })
    toast('Your passkey has been added')
    await reload()
  }

  const remove = (id: string) => {
    queryClient.setQueryData(
      securityQuery.queryKey,
      (shown) => shown && { ...shown, passkeys: shown.passkeys.filter(({ _id }) => _id !== id) },
    )
    toast('Your passkey has been removed')
    // The second step may have ended with it.
    void reload()
  }

  const count = data?.passkeys.length ?? 0
  const lastCount = useRef(count)
  useEffect(() => {
    // What was pressed may be gone with the list's change.
    if (count !== lastCount.current && document.activeElement === document.body) heading.current?.focus()
    lastCount.current = count
  }, [count])

  if (!data && error) {
    return (
      <Notice kind="problem" title="Your passkeys did not load">
        <p>{messageOf(error)}</p>
        <Button variant="outline" className="mt-3" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  }
  const passkeys = data?.passkeys ?? []
  const isLastAnswer = Boolean(data?.secondStepAt) && !data?.totpAt && passkeys.length === 1
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1} className="rounded-field text-xl">
        Passkeys
      </h2>
      <p className="mt-1 mb-5 max-w-measure text-quiet-ink">{EXPLAINED}</p>
      {!data && <Skeleton lines={2} className="max-w-measure" />}
      {passkeys.length > 0 && (
        <ul aria-label="Your passkeys" className="mb-5 divide-y divide-line border-y border-line">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey._id}
              passkey={passkey}
              isLastAnswer={isLastAnswer}
              onRenamed={reload}
              onRemoved={() => remove(passkey._id)}
            />
          ))}
        </ul>
      )}
      {data && passkeys.length < MOST_PASSKEYS && (
        <PasskeyButton failure="No passkey was added" act={add}>
          {passkeys.length === 0 ? 'Add a passkey' : 'Add another passkey'}
        </PasskeyButton>
      )}
      {passkeys.length >= MOST_PASSKEYS && (
        <p className="text-quiet-ink">
          You have {MOST_PASSKEYS} passkeys, and an account can have no more. Remove one to add another.
        </p>
      )}
    </Card>
  )
}
