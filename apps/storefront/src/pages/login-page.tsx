import type { Profile } from '@hedgerow/contract/accounts'
import { safeRedirect } from '@hedgerow/domain/redirect'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Tabs } from '@hedgerow/ui/tabs.tsx'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { emailFromSearch } from '#features/accounts/email-from-search.ts'
import { LoginForm } from '#features/accounts/login-form.tsx'
import { SignupForm } from '#features/accounts/signup-form.tsx'
import { ChoiceAhead } from '#features/orders/choice-ahead.tsx'
import { PlanAhead } from '#features/plans/plan-ahead.tsx'
import { useReferral } from '#features/referral/use-referral.ts'
import { arriveAt, useGoingTo, wayIn } from '#lib/going-to.ts'
import { useKnownBrowser } from '#lib/known-browser.ts'
import { useHydrated } from '#lib/use-hydrated.ts'
import { usePageSearch } from '#lib/use-page-search.ts'
import { useSession } from '#shared/session.tsx'

const TITLES: Record<string, string> = { '/login': 'Log in', '/signup': 'Open an account' }

const HOME = '/profile'

/** The email for which a reset link was requested on the page before this one. */
const useResetRequestedFor = (): string | undefined => {
  const email = useHistoryState<{ resetRequestedFor?: unknown } | null>()?.resetRequestedFor
  // A prerendered page knows nothing of what the browser remembers.
  return useHydrated() && typeof email === 'string' ? email : undefined
}

const PLAN_CHECKOUT = /^\/payment\/checkout\/([^/]+)$/

/** What the visitor goes on to buy, where the page that they go on to says so. */
const orderAhead = (path: string) => {
  const { pathname, searchParams } = new URL(path, window.location.origin)
  if (pathname === '/calculator' && searchParams.has('days')) return <ChoiceAhead params={searchParams} />
  const [, planId] = PLAN_CHECKOUT.exec(pathname) ?? []
  return planId === undefined ? null : <PlanAhead planId={planId} />
}
/** Support asks for a log-in; a visitor can ask without. */
const isForSupport = (params: URLSearchParams) =>
  safeRedirect(params.get('redirectUrl'))?.startsWith('/support') ?? false

const LoginPage = () => {
  const [pathname, navigate] = useLocation()
  const search = useSearch()
  const { state, hasEnded, logIn } = useSession()
  const params = usePageSearch()
  const redirectUrl = useGoingTo()
  const resetRequestedFor = useResetRequestedFor()
  const referral = useReferral()
  const isKnown = useKnownBrowser()
  const tab = pathname === '/signup' ? '/signup' : '/login'

  // Also what follows a log-in: the session is there, so the visitor is sent on.
  if (state === 'in') return <Redirect to={redirectUrl ?? HOME} replace />

  const onLogIn = (token: string, profile: Profile) => {
    if (redirectUrl) arriveAt(redirectUrl)
    logIn(token, profile)
  }
  const showTab = (path: string) =>
    navigate(path + (search && `?${search}`), { replace: true, state: { keepsFocus: true } })
  const ahead = redirectUrl ? orderAhead(redirectUrl) : null

  const tabs = [
    {
      value: '/login',
      label: 'Sign In',
      content: (
        <LoginForm
          email={emailFromSearch(params)}
          forgotPath={wayIn('/forgot', { redirectUrl })}
          onLogIn={onLogIn}
        />
      ),
    },
    {
      value: '/signup',
      label: 'Sign Up',
      content: (
        <SignupForm
          referral={referral}
          redirectUrl={redirectUrl}
          onSignUp={(email) =>
            navigate(`/confirm?email=${encodeURIComponent(email)}`, { state: { redirectUrl } })
          }
        />
      ),
    },
  ]
  return (
    <NarrowPage title={TITLES[tab]}>
      {hasEnded && (
        <Notice kind="info" title="Your session has ended" className="mb-6">
          Log in to carry on where you left off.
        </Notice>
      )}
      {resetRequestedFor && (
        <Notice kind="done" title="Check your inbox" className="mb-6">
          If there is an account for {resetRequestedFor}, we have sent a link to it. It works for one hour.
        </Notice>
      )}
      {ahead}
      <Tabs label="Log in or open an account" value={tab} tabs={tabs} onChange={showTab} />
      {ahead && tab === '/login' && !isKnown && (
        <p className="mt-4">
          New here?{' '}
          <Link to={`/signup?${search}`} className="link">
            Sign up
          </Link>
          , and your order is kept.
        </p>
      )}
      {isForSupport(params) && (
        <p className="mt-8 text-sm text-quiet-ink">
          No account?{' '}
          <Link to="/contact" className="link">
            Ask your question without one
          </Link>
        </p>
      )}
      {tab === '/login' && (
        <p className="mt-8 text-sm text-quiet-ink">
          Want to cancel, but can’t log in?{' '}
          <Link to="/cancel" className="link">
            Cancel or withdraw from a contract
          </Link>
        </p>
      )}
    </NarrowPage>
  )
}

export default LoginPage
