import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Mark } from '@hedgerow/ui/mark.tsx'
import { Hedge } from '@hedgerow/ui/page/hedge.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { Wren } from '@hedgerow/ui/page/wren.tsx'
import { brand } from '#shared/brand.ts'

/** An empty address is that of the page that was wanted. */
const HERE = ''

export const AWAY = {
  maintenance: {
    title: 'Back shortly',
    lead: 'We are working on the shop, and have closed it for a moment.',
    paying: 'If you have just paid, nothing is lost: you find the payment in your account when we are back.',
  },
  unanswered: {
    title: 'The shop did not answer',
    lead: 'This is our fault, and should be over in a moment.',
    paying: 'If you were just paying, look into your account before you pay again: it may have come through.',
  },
} as const

export type AwayKind = keyof typeof AWAY

/** What the proxy shows while the shop cannot. It leads nowhere but here: there is nothing else to be reached. */
export const Away = ({ kind }: { kind: AwayKind }) => {
  const { title, lead, paying } = AWAY[kind]
  const { legalName, number, registeredOffice, email } = brand.company
  return (
    <>
      <header className="border-b border-line">
        <p className="mx-auto flex min-h-11 max-w-page items-center gap-2 px-4 py-2 font-serif text-lg font-semibold tracking-tight sm:px-6 sm:text-xl lg:py-3">
          <Mark className="size-6 text-hedge sm:size-7" />
          {brand.name}
        </p>
      </header>
      <main className="mx-auto max-w-form px-4 py-10 text-center sm:py-16">
        <Wren className="mx-auto mb-8 w-36 text-hedge" />
        <PageHeader title={title} lead={lead} className="mb-6" />
        <a href={HERE} className={buttonLook('solid')}>
          Try again
        </a>
        <p className="mt-6 text-quiet-ink">Connections that you have go on working meanwhile. {paying}</p>
      </main>
      <Hedge />
      <footer className="mx-auto max-w-page px-4 py-6 text-sm text-quiet-ink sm:px-6">
        <p>
          <a href={`mailto:${email}`} className="link inline-flex min-h-11 items-center">
            {email}
          </a>
        </p>
        <p>
          {legalName}. Company number {number}. {registeredOffice}
        </p>
      </footer>
    </>
  )
}
