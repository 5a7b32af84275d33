import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

const PROGRAMMES = [
  { to: '/partnership/referral', label: 'Referral programme', about: 'A link to share' },
  { to: '/partnership/promocode', label: 'Promocode programme', about: 'A code that saves money' },
  { to: '/partnership/resell', label: 'White label programme', about: 'A shop under your own name' },
] as const

export type ProgrammePath = (typeof PROGRAMMES)[number]['to']

type ProgrammeProps = {
  path: ProgrammePath
  lead: string
  children: ReactNode
}

/** One of the partnership programmes, and links to the others. */
export const Programme = ({ path, lead, children }: ProgrammeProps) => (
  <div className="mx-auto max-w-measure">
    <PageHeader
      eyebrow="Partnership"
      title={PROGRAMMES.find(({ to }) => to === path)?.label}
      lead={lead}
      className="mb-6"
    />
    {children}
    <nav aria-label="Other programmes" className="mt-12 border-t border-line pt-6">
      <ul className="grid gap-3 sm:grid-cols-2">
        {PROGRAMMES.filter(({ to }) => to !== path).map(({ to, label, about }) => (
          <li key={to}>
            <Link
              to={to}
              className="group block h-full rounded-card border border-line bg-surface px-5 py-4 hover:border-hedge"
            >
              <span className="block font-semibold text-hedge group-hover:underline">{label}</span>
              <span className="text-quiet-ink">{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  </div>
)

export const ProgrammePart = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-10">
    <h2 className="mb-3 text-xl">{title}</h2>
    <div className="space-y-3">{children}</div>
  </section>
)

/** What happens, one after the other. */
export const Steps = ({ steps }: { steps: readonly { title: string; text: ReactNode }[] }) => (
  <ol className="space-y-5">
    {steps.map(({ title, text }, position) => (
      <li key={title} className="grid grid-cols-[2.25rem_1fr] gap-x-3">
        <span
          aria-hidden="true"
          className="grid size-9 place-items-center rounded-field bg-hedge-tint font-serif text-lg font-semibold text-hedge"
        >
          {position + 1}
        </span>
        <div className="pt-1">
          <h3 className="font-sans text-lg tracking-normal">{title}</h3>
          <p className="text-quiet-ink">{text}</p>
        </div>
      </li>
    ))}
  </ol>
)
