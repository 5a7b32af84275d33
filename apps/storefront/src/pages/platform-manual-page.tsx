import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { useLocation } from 'wouter'
import { GuideView } from '#features/manual/guide-view.tsx'
import { GUIDES } from '#features/manual/guides.ts'
import { PlatformLinks } from '#features/manual/platform-links.tsx'
import { PLATFORMS } from '#features/manual/platforms.ts'
import { Page } from '#features/manual/words.tsx'

/** One page at /manual/windows and its like: the address says which. */
const PlatformManualPage = () => {
  const [pathname] = useLocation()
  const slug = pathname.split('/')[2]
  const platform = PLATFORMS.find((one) => one.slug === slug)
  if (!platform) return null
  const guide = GUIDES[platform.slug]
  return (
    <>
      <PageHeader
        className=""
        eyebrow={<Page to="/manual">Manual</Page>}
        title={`WireGuard on ${guide.title}`}
        lead={`Written for ${guide.writtenFor}.`}
      />
      <GuideView key={platform.slug} guide={guide} />
      <nav aria-labelledby="other-devices" className="pt-16">
        <h2 id="other-devices" className="mb-6 text-xl sm:text-2xl">
          Other devices
        </h2>
        <PlatformLinks current={platform.slug} />
      </nav>
    </>
  )
}

export default PlatformManualPage
