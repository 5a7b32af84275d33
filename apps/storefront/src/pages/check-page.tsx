import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { Link } from 'wouter'
import { AddressCheck, ResolverCheck } from '#features/status/check-view.tsx'

const CheckPage = () => (
  <div className="mx-auto min-h-screen max-w-3xl">
    <PageHeader
      title="Am I protected?"
      lead="Which IP address websites see, and whether your DNS goes through our server."
    />
    <AddressCheck />
    <ResolverCheck />
    <p className="mt-12 border-t border-line pt-6 text-sm text-quiet-ink">
      We keep none of this, neither your address nor the fact that you looked. To see whether our servers are
      up, open the{' '}
      <Link to="/status" className="link">
        status page
      </Link>
      .
    </p>
  </div>
)

export default CheckPage
