import type { ConfirmRequest } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import { safeRedirect } from '@hedgerow/domain/redirect'
import { Button } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, Redirect, useLocation } from 'wouter'
import { ChosenPasswordForm, OwnPasswordForm } from '#features/accounts/confirm-forms.tsx'
import { api } from '#lib/api.ts'
import { arriveAt, wayIn } from '#lib/going-to.ts'
import { forgetSignupSecret, readSignupSecret } from '#lib/signup-secret.ts'
import { isLoggedInSoon } from '#lib/token-soon.ts'
import { useLinkToken } from '#lib/use-link-token.ts'
import { useSession } from '#shared/session.tsx'
import { useMailedLink } from '#shared/use-mailed-link.ts'

/** So long another tab of this browser may take to log in that has used the link first. */
const OTHER_TAB_MS = 3000

/**
 * `confirm` uses the link up, logs in and goes on to where the customer was going. `leaveOver` goes to the page that says
 * that it works no longer.
 */
const useConfirm = (token: string) => {
  const { logIn, profile } = useSession()
  const [, navigate] = useLocation()
  const showToast = useToast()
  // Replaced, so that the token does not stay in the history.
  const leaveFor = (path: string) => navigate(path, { replace: true })
  const resultPath = (email: string | undefined) => wayIn('/result', { email })

  const wasUsed = () =>
    api.call('lookAtLink', { body: { kind: 'confirm', token } }).then(
      ({ isDone }) => isDone === true,
      () => false,
    )
  // After a second press of the mail's link, the first has logged in here, or is about to, or elsewhere.
  const leaveOver = async (patienceMs: number): Promise<void> => {
    const isDone = (await isLoggedInSoon(patienceMs)) || (await wasUsed())
    leaveFor(isDone ? resultPath(profile?.email) : '/confirm-failed')
  }

  const confirm = (proof: ConfirmRequest): Promise<void> =>
    api.call('confirmAccount', { params: { token }, body: proof }).then(
      (reply) => {
        forgetSignupSecret()
        const goingTo = safeRedirect(reply.redirectUrl)
        if (goingTo) {
          arriveAt(goingTo)
          showToast('Your email is confirmed')
        }
        logIn(reply.access_token, reply.profile)
        leaveFor(goingTo ?? resultPath(reply.profile.email))
      },
      async (error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 400) throw error
        await leaveOver(proof.signupSecret === undefined ? 0 : OTHER_TAB_MS)
      },
    )
  return { confirm, leaveOver }
}

/** The browser that signed up proves it by itself, once. Returns whether it is still at it. */
const useOwnSecret = (confirm: (proof: ConfirmRequest) => Promise<void>): boolean => {
  const [isTrying, setIsTrying] = useState(() => readSignupSecret() !== undefined)
  const hasTried = useRef(false)
  useEffect(() => {
    const signupSecret = readSignupSecret()
    if (hasTried.current || signupSecret === undefined) return
    hasTried.current = true
    // Whatever stands in its way, the password will do.
    confirm({ signupSecret }).catch(() => setIsTrying(false))
  }, [confirm])
  return isTrying
}

const ConfirmLink = ({ token }: { token: string }) => {
  const { confirm, leaveOver } = useConfirm(token)
  const isTrying = useOwnSecret(confirm)
  const [isOwner, setIsOwner] = useState(false)
  const { email, isDone, over, isLooking } = useMailedLink('confirm', token, !isTrying)
  const isOver = isDone || over !== undefined
  const leave = useEffectEvent(() => void leaveOver(0))
  useEffect(() => {
    if (isOver) leave()
  }, [isOver])
  if (isTrying || isLooking || isOver)
    return (
      <NarrowPage title="Confirming your email">
        <Skeleton className="h-24" />
      </NarrowPage>
    )
  if (isOwner)
    return (
      <NarrowPage
        title="Choose your password"
        lead="The account becomes yours alone. The password and the name entered when it was opened are removed."
      >
        <OwnPasswordForm confirm={confirm} email={email} />
        <p className="mt-6 text-quiet-ink">
          By continuing you accept our{' '}
          <Link to="/terms" className="link">
            terms and privacy policy
          </Link>
          .
        </p>
      </NarrowPage>
    )
  return (
    <NarrowPage title="Confirm your email" lead="Enter your password once, and you are logged in.">
      <ChosenPasswordForm confirm={confirm} email={email} />
      <p className="mt-6 text-quiet-ink">Didn’t open this account yourself, or forgotten the password?</p>
      <Button variant="quiet" className="-ml-5" onClick={() => setIsOwner(true)}>
        Choose a new password
      </Button>
    </NarrowPage>
  )
}

const ConfirmLinkPage = () => {
  const token = useLinkToken()
  if (!token) return <Redirect to="/confirm-failed" replace />
  return <ConfirmLink token={token} />
}

export default ConfirmLinkPage
