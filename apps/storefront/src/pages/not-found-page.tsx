import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { Wren } from '@hedgerow/ui/page/wren.tsx'
import { Link } from 'wouter'

const NotFoundPage = () => (
  <div className="mx-auto max-w-form py-6 text-center sm:py-12">
    <Wren className="mx-auto mb-8 w-36 text-hedge" />
    <PageHeader
      title="Page not found"
      lead="There is nothing at this address. It may have moved, or been mistyped."
      className="mb-6"
    />
    <ButtonLink to="/">Go to the home page</ButtonLink>
    <p className="mt-6 text-quiet-ink">
      You may be looking for the{' '}
      <Link to="/products" className="link">
        prices
      </Link>
      , the{' '}
      <Link to="/clients" className="link">
        manual
      </Link>{' '}
      or{' '}
      <Link to="/profile" className="link">
        your account
      </Link>
      .
    </p>
  </div>
)

export default NotFoundPage
