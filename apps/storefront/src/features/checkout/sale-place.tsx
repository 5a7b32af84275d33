import { ErrorBoundary } from '@hedgerow/ui/error-boundary.tsx'
import { lazy, Suspense } from 'react'
import type { SalePlace } from '#features/checkout/use-sale-place.ts'

/** Loaded where a shop asks: they know all countries, their rates and their numbers. */
const SalePlaceFields = lazy(() =>
  import('#features/checkout/sale-place-fields.tsx').then((m) => ({ default: m.SalePlaceFields })),
)
const VatNote = lazy(() => import('#features/checkout/vat-note.tsx').then((m) => ({ default: m.VatNote })))

/** Nothing in a shop that does not ask. */
export const SalePlaceField = ({ place, profileCountry }: { place: SalePlace; profileCountry: string }) =>
  place.isAsked && (
    // The card may be typed by the time when it is known that they do not come.
    <ErrorBoundary isPart>
      <Suspense fallback={<div className="mb-5 min-h-40" />}>
        <SalePlaceFields {...place} profileCountry={profileCountry} />
      </Suspense>
    </ErrorBoundary>
  )

/** What of the price is tax; undefined in a shop where it is the same for all. */
export const vatNoteOf = ({ isAsked, said, errors }: SalePlace) =>
  isAsked ? (
    <ErrorBoundary isPart instead="Prices include VAT.">
      <Suspense fallback="Prices include VAT.">
        <VatNote said={errors.vatNumber ? { ...said, vatNumber: '' } : said} />
      </Suspense>
    </ErrorBoundary>
  ) : undefined
