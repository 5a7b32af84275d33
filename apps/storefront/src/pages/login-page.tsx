import { safeRedirect } from '@hedgerow/domain/redirect'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { emailFromSearch } from '#features/accounts/email-from-search.ts'
import { LoginForm } from '#features/accounts/login-form.tsx'
import { SignupForm } from '#features/accounts/signup-form.tsx'
import { useReferral } from '#features/referral/use-referral.ts'
import { useHydrated } from '#lib/use-hydrated.ts'
import { usePageSearch } from '#lib/use-page-search.ts'
import { useSession } from '#shared/session.tsx'
import { NarrowPage } from '#ui/page/narrow-page.tsx'
import { Notice } from '#ui/page/notice.tsx'
import { Tabs } from '#ui/tabs.tsx'

const TITLES: Record<string, string> = { '/login': 'Log in', '/signup': 'Open an account' }

/** The email for which a reset link was requested on the page before this one. */
const useResetRequestedFor = (): string | undefined => {
  const email = useHistoryState<{ resetRequestedFor?: unknown } | null>()?.resetRequestedFor
  // A prerendered page knows nothing of what the browser remembers.
  return useHydrated() && typeof email === 'string' ? email : undefined
}

/** Support asks for a log-in; a visitor can ask without. */
const isForSupport = (params: URLSearchParams) =>
  safeRedirect(params.get('redirectUrl'))?.startsWith('/support') ?? false

const LoginPage = () => {
  const [pathname, navigate] = useLocation()
  const search = useSearch()
  const { state, logIn } = useSession()
  const params = usePageSearch()
  const resetRequestedFor = useResetRequestedFor()
  const referral = useReferral()
  const tab = pathname === '/signup' ? '/signup' : '/login'

  // Also what follows a log-in: the session is there, so the visitor is sent on.
  if (state === 'in') return <Redirect to={safeRedirect(params.get('redirectUrl')) ?? '/profile'} replace />

  const tabs = [
    {
      value: '/login',
      label: 'Sign In',
      content: <LoginForm email={emailFromSearch(params)} onLogIn={logIn} />,
    },
    {
      value: '/signup',
      label: 'Sign Up',
      content: (
        <SignupForm
          referral={referral}
          onSignUp={(email) => navigate(`/confirm?email=${encodeURIComponent(email)}`)}
        />
      ),
    },
  ]
  return (
    <NarrowPage title={TITLES[tab]}>
      {resetRequestedFor && (
        <Notice kind="done" title="Look in your mail" className="mb-6">
          If there is an account for {resetRequestedFor}, we sent a link to it. It works for one hour.
        </Notice>
      )}
      <Tabs
        label="Log in or open an account"
        value={tab}
        tabs={tabs}
        onChange={(path) =>
          navigate(path + (search && `?${search}`), { replace: true, state: { keepsFocus: true } })
        }
      />
      {isForSupport(params) && (
        <p className="mt-8 text-sm text-quiet-ink">
          No account?{' '}
          <Link to="/contact" className="link">
            Ask your question without one
          </Link>
        </p>
      )}
      <p className="mt-8 text-sm text-quiet-ink">
        Want to cancel, but cannot log in?{' '}
        <Link to="/cancel" className="link">
          Cancel or withdraw from a contract
        </Link>
      </p>
    </NarrowPage>
  )
}

export default LoginPage
