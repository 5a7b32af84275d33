import { Link } from 'wouter'
import { manualPath, PLATFORMS as PAGES } from '#features/manual/platforms.ts'
import { SectionHeading } from '#home/section-heading.tsx'
import { STEP_PICTURES } from '#home/step-pictures.tsx'
import { usePlatform } from '#lib/platform.ts'

const STEPS = [
  { title: 'Install a client', text: 'WireGuard is free, and there is an app for every platform.' },
  {
    title: 'Add your connection',
    text: 'Scan its QR code in your profile, or import the file from your profile or our email.',
  },
  { title: 'Turn it on, and browse', text: 'It stays on until you turn it off, or until its days run out.' },
]

/** The page for the device in hand, once it is known; until then the way to all of them, in the same place. */
const OwnDevice = () => {
  const own = usePlatform()
  const page = PAGES.find(({ slug }) => slug === own)
  return (
    <Link
      to={page ? manualPath(page.slug) : '/manual'}
      className="link inline-flex min-h-11 items-center font-semibold"
    >
      {page ? `Step by step, for this device: ${page.name}` : 'Step by step, for every device'}
    </Link>
  )
}

export const Manual = () => (
  <section id="clients" className="scroll-mt-6 pt-16 sm:pt-24">
    <SectionHeading>How to connect</SectionHeading>
    <ol className="mt-8 grid gap-x-8 gap-y-6 md:grid-cols-3">
      {STEPS.map(({ title, text }, position) => {
        const Picture = STEP_PICTURES[position]
        return (
          <li key={title} className="flex flex-wrap items-center gap-x-4 gap-y-2 md:block">
            {Picture && (
              <div className="rounded-card border border-line bg-surface p-2 *:mx-auto max-md:w-28 max-md:*:h-24 md:p-4">
                <Picture />
              </div>
            )}
            <div className="min-w-[min(9rem,100%)] flex-1">
              <h3 className="text-xl md:mt-4">
                <span aria-hidden="true">{`${position + 1}. `}</span>
                {title}
              </h3>
              <p className="mt-1 text-quiet-ink">{text}</p>
            </div>
          </li>
        )
      })}
    </ol>
    <div className="mt-6">
      <OwnDevice />
      <ul className="mt-1 flex flex-wrap gap-x-5">
        {PAGES.map(({ slug, name }) => (
          <li key={slug}>
            <Link to={manualPath(slug)} className="link inline-flex min-h-11 items-center">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  </section>
)
