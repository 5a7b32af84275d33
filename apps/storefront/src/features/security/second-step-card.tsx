import type { Security } from '@hedgerow/contract/second-step'
import { formatLocalDay } from '@hedgerow/domain/dates'
import { FEW_RECOVERY_CODES } from '@hedgerow/domain/second-step'
import { Button } from '@hedgerow/ui/button.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { ConfirmChange } from '#features/security/confirm-change.tsx'
import { RecoveryCodes } from '#features/security/recovery-codes.tsx'
import { SECURITY_KEY, securityQuery } from '#features/security/security-queries.ts'
import { SetUpApp } from '#features/security/set-up-app.tsx'
import { areCodesUnkept, noteCodesUnkept } from '#features/security/unkept-codes.ts'
import { WayBackNotice } from '#features/security/way-back-notice.tsx'
import { api } from '#lib/api.ts'

const onDay = (time: string) => formatLocalDay(new Date(time))

/** What was changed, in words, and codes that came with it. */
type OnChanged = (message: string, recoveryCodes?: string[] | null) => Promise<void>

const Row = ({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line py-4">
    <div className="min-w-48 flex-1">
      <h3 className="font-semibold">{title}</h3>
      <p className="text-quiet-ink">{text}</p>
    </div>
    <div className="flex flex-wrap gap-3">{children}</div>
  </div>
)

const codesLeft = (count: number): string =>
  count === 0 ? 'None left' : `${count} of 10 left. Each works once.`

type OnProps = { security: Security; setUp: ReactNode; onChanged: OnChanged }

const On = ({ security, setUp, onChanged }: OnProps) => {
  const { secondStepAt, totpAt, passkeys, recoveryCodes } = security
  const isLast = passkeys.length === 0
  return (
    <>
      <p className="mb-4">
        On since {secondStepAt && onDay(secondStepAt)}. After the password we ask for{' '}
        {totpAt && passkeys.length > 0
          ? 'a passkey or a code'
          : totpAt
            ? 'a code from your app'
            : 'a passkey'}
        .
      </p>
      <Row
        title="Authenticator app"
        text={totpAt ? `Set up on ${onDay(totpAt)}` : 'None. You use a passkey.'}
      >
        {setUp}
        {totpAt && (
          <ConfirmChange
            label="Remove"
            title="Remove the authenticator app"
            action="Remove the app"
            variant="danger"
            onConfirm={async () => {
              await api.call('removeTotp', {})
              await onChanged('The app has been removed')
            }}
          >
            <p>
              {isLast
                ? 'You have no passkey, so the second step is turned off with it. The recovery codes stop working, and the password alone logs you in.'
                : 'Your passkeys and the recovery codes keep working.'}
            </p>
          </ConfirmChange>
        )}
      </Row>
      <Row title="Recovery codes" text={codesLeft(recoveryCodes)}>
        <ConfirmChange
          label="Make new codes"
          title="Make new recovery codes"
          action="Make new codes"
          onConfirm={async () => {
            const { recoveryCodes } = await api.call('newRecoveryCodes', {})
            await onChanged('New codes have been made', recoveryCodes)
          }}
        >
          <p>You get ten new ones. The old ones stop working at once.</p>
        </ConfirmChange>
      </Row>
      <div className="border-t border-line pt-4">
        <ConfirmChange
          label="Turn off"
          title="Turn the second step off"
          action="Turn it off"
          variant="danger"
          onConfirm={async () => {
            await api.call('switchSecondStep', { body: { isOn: false } })
            await onChanged('The second step is off')
          }}
        >
          <p>
            The password alone then logs you in. The authenticator app and the recovery codes stop working.
            {passkeys.length > 0 && ' Your passkeys stay.'}
          </p>
        </ConfirmChange>
      </div>
    </>
  )
}

const Off = ({ security: { passkeys }, setUp, onChanged }: OnProps) => (
  <>
    <p className="mb-4 max-w-measure">
      It is off. If you turn it on, we ask for a passkey or a code from an app after the password, and log out
      every other device. Someone who learns your password then can’t log in with it alone.
    </p>
    <div className="flex flex-wrap gap-3">
      {setUp}
      {passkeys.length > 0 && (
        <ConfirmChange
          label="Ask for a passkey"
          title="Ask for a passkey after the password"
          action="Turn it on"
          onConfirm={async () => {
            const { recoveryCodes } = await api.call('switchSecondStep', { body: { isOn: true } })
            await onChanged('The second step is on', recoveryCodes)
          }}
        >
          <p>
            After the password we ask for one of your passkeys. You get ten recovery codes to keep, and every
            other device is logged out.
          </p>
        </ConfirmChange>
      )}
    </div>
  </>
)

/** `onGone` is called when what was pressed is there no more. */
const Shown = ({ security, onGone }: { security: Security; onGone: () => void }) => {
  const queryClient = useQueryClient()
  const toast = useToast()
  const [codes, setCodes] = useState<readonly string[]>()
  // Codes that were shown in this tab, and gone with the page before they were kept.
  const [areLost, setAreLost] = useState(areCodesUnkept)
  const begin = useMutation({
    // The secret is not kept.
    gcTime: 0,
    mutationFn: () => api.call('beginTotp', {}),
  })
  const { secondStepAt, totpAt } = security
  const shown = `${secondStepAt} ${totpAt}`
  const lastShown = useRef(shown)
  useEffect(() => {
    if (shown !== lastShown.current && document.activeElement === document.body) onGone()
    lastShown.current = shown
  }, [shown, onGone])
  const onChanged: OnChanged = async (message, made) => {
    begin.reset()
    // Codes say by themselves that it is done, and nothing may cover them.
    if (!made) toast(message)
    setAreLost(false)
    noteCodesUnkept(Boolean(made))
    setCodes(made ?? undefined)
    // Other sessions may have ended with it.
    await queryClient.invalidateQueries({ queryKey: SECURITY_KEY })
  }

  if (codes)
    return (
      <RecoveryCodes
        codes={codes}
        onKept={() => {
          noteCodesUnkept(false)
          setCodes(undefined)
          onGone()
        }}
      />
    )
  if (begin.data)
    return (
      <SetUpApp
        {...begin.data}
        onConfirmed={(made) => void onChanged('The app has been set up', made)}
        onCancel={() => {
          begin.reset()
          onGone()
        }}
      />
    )
  const isOn = secondStepAt !== null
  const setUp = (
    <Button variant={isOn ? 'outline' : 'solid'} busy={begin.isPending} onClick={() => begin.mutate()}>
      {totpAt ? 'Set up another' : isOn ? 'Set up' : 'Set up an authenticator app'}
    </Button>
  )
  const Part = isOn ? On : Off
  return (
    <>
      {begin.error && (
        <Notice kind="problem" title="The app could not be set up" className="mb-4">
          {messageOf(begin.error)}
        </Notice>
      )}
      {isOn && areLost && (
        <Notice kind="warning" title="You may not have saved the recovery codes" className="mb-4">
          You left the page before saying that you had them. We can’t show them again. If you don’t have them,
          make new ones.
        </Notice>
      )}
      {isOn && !areLost && security.recoveryCodes <= FEW_RECOVERY_CODES && (
        <Notice kind="warning" title="Few recovery codes are left" className="mb-4">
          Make new ones before you need them.
        </Notice>
      )}
      <Part security={security} setUp={setUp} onChanged={onChanged} />
    </>
  )
}

/** An authenticator app, the recovery codes, and whether a log-in takes more than the password. */
export const SecondStepCard = () => {
  const { data, error, refetch, isFetching } = useQuery(securityQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  const focusHeading = useCallback(() => heading.current?.focus(), [])
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1} className="mb-2 w-fit rounded-field text-xl">
        Second step
      </h2>
      {data ? (
        <>
          <WayBackNotice />
          <Shown security={data} onGone={focusHeading} />
        </>
      ) : error ? (
        <Notice kind="problem" title="This could not be loaded">
          <p>{messageOf(error)}</p>
          <Button variant="outline" busy={isFetching} className="mt-3" onClick={() => void refetch()}>
            Try again
          </Button>
        </Notice>
      ) : (
        <Skeleton lines={4} className="min-h-46 max-w-measure sm:min-h-0" />
      )}
    </Card>
  )
}
