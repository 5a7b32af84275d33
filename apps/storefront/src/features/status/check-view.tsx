import { CHECK_HOST } from '@hedgerow/domain/nodes'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressQuery } from '#features/status/status-query.ts'
import { brand } from '#shared/brand.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/page/notice.tsx'
import { Skeleton } from '#ui/page/skeleton.tsx'

const CHECK_URL = `http://${CHECK_HOST}/`

const Address = ({ children }: { children: string }) => (
  <span className="break-all font-semibold tabular-nums">{children}</span>
)

const Answer = ({ address, place }: { address: string; place: string | null }) =>
  place === null ? (
    <Notice kind="info" title={`You are not connected to ${brand.name}.`}>
      <p>
        Sites see <Address>{address}</Address>.
      </p>
    </Notice>
  ) : (
    <Notice kind="done" title={`You are connected to ${brand.name}, in ${place}.`}>
      <p>
        Sites see <Address>{address}</Address>, the address of our server there.
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
          <Notice kind="problem" title="Your address cannot be read">
            The shop does not answer, or you are offline.
          </Notice>
        ) : (
          <Skeleton label="Looking at your address" lines={2} />
        )}
      </div>
      <Button variant="outline" busy={isFetching} onClick={() => void refetch()} className="mt-4">
        Look again
      </Button>
      <p className="mt-4 max-w-measure text-quiet-ink">
        Is your tunnel on, and this says that you are not connected? Then the tunnel does not carry all of
        your traffic. Import the file from your profile again, unchanged, and look again. The{' '}
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
      Our servers answer one name that no other resolver knows. Turn your tunnel on and open it:
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
          Then both are so: your traffic goes through our server, and the names that you open are looked up
          there. The page says which server it is.
        </dd>
      </div>
      <div>
        <dt className="font-semibold">It does not open, and above you are connected</dt>
        <dd className="text-quiet-ink">
          Then another resolver answers your names. Turn off “secure DNS” in your browser and “Private DNS” on
          Android, and leave the DNS line of your connection’s file as it is. If it still does not open, the
          server may not have this page yet.
        </dd>
      </div>
      <div>
        <dt className="font-semibold">It does not open, and above you are not connected</dt>
        <dd className="text-quiet-ink">Turn the tunnel on first.</dd>
      </div>
    </dl>
    <p className="mt-4 max-w-measure text-sm text-quiet-ink">
      It is a page without encryption of its own: it never leaves the tunnel, which is encrypted. A browser
      that allows https only asks whether to open it.
    </p>
  </section>
)
