import { Link } from 'wouter'
import { emailFromSearch } from '#features/accounts/email-from-search.ts'
import { usePageSearch } from '#lib/use-page-search.ts'
import { ButtonLink } from '#ui/button.tsx'
import { NarrowPage } from '#ui/page/narrow-page.tsx'

const ResultPage = () => {
  const email = emailFromSearch(usePageSearch())
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
        You can log in now.
      </p>
      <ButtonLink
        to={email ? `/login?email=${encodeURIComponent(email)}` : '/login'}
        className="mt-6 mb-6 w-full"
      >
        Login
      </ButtonLink>
      <p className="text-quiet-ink">
        Forgot the password?{' '}
        <Link to="/reset" className="link">
          Choose a new one
        </Link>
        .
      </p>
    </NarrowPage>
  )
}

export default ResultPage
