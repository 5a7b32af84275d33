import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Link } from 'wouter'
import { emailFromSearch } from '#features/accounts/email-from-search.ts'
import { usePageSearch } from '#lib/use-page-search.ts'
import { useSession } from '#shared/session.tsx'

const ResultPage = () => {
  const email = emailFromSearch(usePageSearch())
  const isLoggedIn = useSession().state === 'in'
  return (
    <NarrowPage title="Registration is complete">
      <p className="text-lg">
        {email ? (
          <>
            Your email <strong className="break-words">{email}</strong> is confirmed.
          </>
        ) : (
          'Your email is confirmed.'
        )}{' '}
        {isLoggedIn ? 'You are logged in.' : 'You can log in now.'}
      </p>
      {isLoggedIn ? (
        <ButtonLink to="/products" className="mt-6 mb-6 w-full">
          Choose your connections
        </ButtonLink>
      ) : (
        <ButtonLink
          to={email ? `/login?email=${encodeURIComponent(email)}` : '/login'}
          className="mt-6 mb-6 w-full"
        >
          Login
        </ButtonLink>
      )}
      <p className="text-quiet-ink">
        Forgotten your password?{' '}
        <Link to="/reset" className="link">
          Choose a new one
        </Link>
        .
      </p>
    </NarrowPage>
  )
}

export default ResultPage
