import { Link } from 'wouter'
import { AddressCheck, ResolverCheck } from '#features/status/check-view.tsx'
import { PageHeader } from '#ui/page/page-header.tsx'

const CheckPage = () => (
  <div className="mx-auto min-h-screen max-w-3xl">
    <PageHeader
      title="Am I protected?"
      lead="Which address sites see of you, and who looks up the names that you open."
    />
    <AddressCheck />
    <ResolverCheck />
    <p className="mt-12 border-t border-line pt-6 text-sm text-quiet-ink">
      Nothing of this is kept: neither your address, nor that you looked. How our servers are is on the{' '}
      <Link to="/status" className="link">
        status page
      </Link>
      .
    </p>
  </div>
)

export default CheckPage
