import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { SectionHeading } from '#home/section-heading.tsx'

/** A map of the world: loaded when somebody comes near it. */
const Places = lazy(() => import('#home/places.tsx'))

const NEAR = '400px'

/** Where the servers are. As high as three places from the start: what stands below does not move when they come. */
export const PlacesAhead = () => {
  const section = useRef<HTMLElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: NEAR },
    )
    if (section.current) watcher.observe(section.current)
    return () => watcher.disconnect()
  }, [])
  return (
    <section ref={section} id="places" className="scroll-mt-6 pt-16 sm:pt-24">
      <SectionHeading>Where our servers are</SectionHeading>
      <div className="mt-6 min-h-[28rem] md:min-h-72">
        <Suspense>{isNear && <Places />}</Suspense>
      </div>
    </section>
  )
}
