import { CHECK_HOST } from '@hedgerow/domain/nodes'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressQuery } from '#features/status/status-query.ts'
import { brand } from '#shared/brand.ts'

const CHECK_URL = `http://${CHECK_HOST}/`

const Address = ({ children }: { children: string }) => (
  <span className="break-all font-semibold tabular-nums">{children}</span>
)

const Answer = ({ address, place }: { address: string; place: string | null }) =>
  place === null ? (
    <Notice kind="info" title={`You are not connected to ${brand.name}.`}>
      <p>
        Websites see <Address>{address}</Address>.
      </p>
    </Notice>
  ) : (
    <Notice kind="done" title={`You are connected to ${brand.name}, in ${place}.`}>
      <p>
        Websites see <Address>{address}</Address>, the address of our server there.
      </p>
    </Notice>
  )

/** Which address one shows, as the shop itself sees it. */
export const AddressCheck = () => {
  const { data, error, isFetching, refetch } = useQuery(addressQuery)
  return (
    <section>
      <h2 className="mb-4 text-2xl">Your address</h2>
      <div className="min-h-32 sm:min-h-20">
        {data ? (
          <Answer {...data} />
        ) : error ? (
          <Notice kind="problem" title="We could not read your address">
            The shop is not answering, or you are offline.
          </Notice>
        ) : (
          <Skeleton label="Checking your address" lines={2} />
        )}
      </div>
      <Button variant="outline" busy={isFetching} onClick={() => void refetch()} className="mt-4">
        Check again
      </Button>
      <p className="mt-4 max-w-measure text-quiet-ink">
        If your tunnel is on and this still says you are not connected, some of your traffic is going past the
        tunnel. Import the file from your profile again, unchanged, then check again. The{' '}
        <Link to="/clients" className="link">
          manual
        </Link>{' '}
        has the steps.
      </p>
    </section>
  )
}

/** A page cannot ask which resolver its reader has; a name that only ours knows can. */
export const ResolverCheck = () => (
  <section className="mt-12">
    <h2 className="text-2xl">Your DNS</h2>
    <p className="mt-3 max-w-measure">
      Only our own DNS knows this address. Turn your tunnel on and open it:
    </p>
    <p className="mt-3">
      <a
        href={CHECK_URL}
        target="_blank"
        rel="noreferrer"
        className="link inline-flex min-h-11 items-center text-lg font-semibold break-all"
      >
        {CHECK_URL}
      </a>
    </p>
    <dl className="mt-3 max-w-measure space-y-4">
      <div>
        <dt className="font-semibold">It opens</dt>
        <dd className="text-quiet-ink">
          Your traffic goes through our server, and so does your DNS. The page says which server it is.
        </dd>
      </div>
      <div>
        <dt className="font-semibold">It does not open, but you are connected</dt>
        <dd className="text-quiet-ink">
          Your device is using someone else’s DNS. Turn off “secure DNS” in your browser and “Private DNS” on
          Android, and leave the DNS line in your connection’s file as it is. If it still does not open, the
          server may not have this page yet.
        </dd>
      </div>
      <div>
        <dt className="font-semibold">It does not open, and you are not connected</dt>
        <dd className="text-quiet-ink">Turn the tunnel on first.</dd>
      </div>
    </dl>
    <p className="mt-4 max-w-measure text-sm text-quiet-ink">
      The page itself is not encrypted, because it never leaves the tunnel, which is. A browser set to https
      only will ask whether to open it.
    </p>
  </section>
)
