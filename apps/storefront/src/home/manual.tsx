import { ChevronDown } from 'lucide-react'
import { PLATFORMS } from '#home/platforms.ts'
import { SectionHeading } from '#home/section-heading.tsx'

const STEPS = [
  { title: 'Install a client', text: 'WireGuard is free and there is one for every platform.' },
  {
    title: 'Add your connection',
    text: 'Scan its QR code in your profile, or import the file from there or from our email.',
  },
  { title: 'Turn it on, and browse', text: 'It stays on until you turn it off, or until its last day ends.' },
]

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
      <div className="border-t border-line">
        {PLATFORMS.map(({ name, steps }) => (
          // The same name makes them one group: opening one closes the other.
          <details key={name} name="platform" className="group border-b border-line">
            <summary className="flex min-h-13 list-none items-center justify-between gap-4 font-medium hover:text-hedge [&::-webkit-details-marker]:hidden">
              {name}
              <ChevronDown
                className="size-5 shrink-0 text-quiet-ink transition-transform group-open:rotate-180"
                aria-hidden="true"
              />
            </summary>
            <ol className="list-decimal space-y-2 pb-5 pl-5 text-quiet-ink">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </details>
        ))}
      </div>
    </div>
  </section>
)
