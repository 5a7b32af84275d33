import { PlatformLinks } from '#features/manual/platform-links.tsx'
import { manualPath, PLATFORMS } from '#features/manual/platforms.ts'
import { useVisitorPlatform } from '#features/manual/visitor-platform.ts'
import { Page } from '#features/manual/words.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { PageHeader } from '#ui/page/page-header.tsx'

const ManualPage = () => {
  const own = useVisitorPlatform()
  const platform = PLATFORMS.find(({ slug }) => slug === own)
  return (
    <>
      <PageHeader
        title="Manual"
        lead="Our connections work with WireGuard, which is free and made by others. Choose your device; setting it up takes a few minutes."
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
          Every device
        </h2>
        <PlatformLinks />
      </section>
      <section aria-labelledby="another-app" className="max-w-measure pt-12">
        <h2 id="another-app" className="mb-3 text-xl sm:text-2xl">
          Something else
        </h2>
        <p className="text-quiet-ink">
          Whatever imports a WireGuard file takes ours: other routers, televisions with an Android of their
          own, network discs. Import the file from the ticket in <Page to="/profile">your profile</Page>, let
          everything go through the tunnel, and look at <Page to="/check">Am I protected?</Page> afterwards.
          If it does not work, <Page to="/contact">ask us</Page>.
        </p>
      </section>
    </>
  )
}

export default ManualPage
