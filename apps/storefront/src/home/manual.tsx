import { ChevronDown } from 'lucide-react'
import { Link } from 'wouter'
import { manualPath, PLATFORMS as PAGES } from '#features/manual/platforms.ts'
import { PLATFORMS } from '#home/platforms.ts'
import { SectionHeading } from '#home/section-heading.tsx'
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
    <div className="mt-8 grid gap-10 md:grid-cols-2 md:gap-16">
      <ol className="space-y-6">
        {STEPS.map(({ title, text }, position) => (
          <li key={title} className="flex gap-4">
            <span
              aria-hidden="true"
              className="grid size-9 shrink-0 place-items-center rounded-full border border-hedge font-semibold text-hedge tabular-nums"
            >
              {position + 1}
            </span>
            <div>
              <h3 className="text-xl">{title}</h3>
              <p className="mt-1 text-quiet-ink">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <div>
        <OwnDevice />
        <div className="mt-2 border-t border-line">
          {PLATFORMS.map(({ name, steps, pages }) => (
            // The same name makes them one group: opening one closes the other.
            <details key={name} name="platform" className="group border-b border-line">
              <summary className="flex min-h-13 list-none items-center justify-between gap-4 font-medium hover:text-hedge [&::-webkit-details-marker]:hidden">
                {name}
                <ChevronDown
                  className="size-5 shrink-0 text-quiet-ink transition-transform group-open:rotate-180"
                  aria-hidden="true"
                />
              </summary>
              <ol className="list-decimal space-y-2 pl-5 text-quiet-ink">
                {steps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
              <p className="flex flex-wrap gap-x-5 pt-1 pb-3 pl-5">
                {PAGES.filter(({ slug }) => pages.includes(slug)).map((page) => (
                  <Link
                    key={page.slug}
                    to={manualPath(page.slug)}
                    className="link inline-flex min-h-11 items-center"
                  >
                    {pages.length > 1 ? page.name : `More on ${page.name}`}
                  </Link>
                ))}
              </p>
            </details>
          ))}
        </div>
      </div>
    </div>
  </section>
)
