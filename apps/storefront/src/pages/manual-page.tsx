import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { PlatformLinks } from '#features/manual/platform-links.tsx'
import { manualPath, PLATFORMS } from '#features/manual/platforms.ts'
import { Page } from '#features/manual/words.tsx'
import { usePlatform } from '#lib/platform.ts'

const ManualPage = () => {
  const own = usePlatform()
  const platform = PLATFORMS.find(({ slug }) => slug === own)
  return (
    <>
      <PageHeader
        title="Manual"
        lead="Our connections use WireGuard, free software from an independent project. Choose your device. Setting it up takes a few minutes."
      />
      {/* It has its room before it is known what stands there, so that nothing moves. */}
      <div className="mb-10 flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2">
        {platform ? (
          <ButtonLink to={manualPath(platform.slug)}>This device: {platform.name}</ButtonLink>
        ) : (
          <p className="text-quiet-ink">Which device is it?</p>
        )}
      </div>
      <section aria-labelledby="every-device">
        <h2 id="every-device" className="mb-6 text-xl sm:text-2xl">
          All devices
        </h2>
        <PlatformLinks />
      </section>
      <section aria-labelledby="another-app" className="max-w-measure pt-12">
        <h2 id="another-app" className="mb-3 text-xl sm:text-2xl">
          Something else
        </h2>
        <p className="text-quiet-ink">
          Anything that can import a WireGuard file can use ours: other routers, Android televisions, network
          drives. Import the file from the ticket in <Page to="/profile">your profile</Page>, send all traffic
          through the tunnel, and then open <Page to="/check">Am I protected?</Page>. If it does not work,{' '}
          <Page to="/contact">ask us</Page>.
        </p>
      </section>
    </>
  )
}

export default ManualPage
