import { formatMoney } from '@hedgerow/domain/money'
import { CONNECTIONS, FEATURES } from '@hedgerow/domain/pricing'
import { SectionHeading } from '#home/section-heading.tsx'
import { useCurrency } from '#shared/currency.tsx'
import { usePrices } from '#shared/prices-query.ts'

const BENEFITS = [
  {
    title: 'Fast speed',
    text: 'WireGuard is small and quick. It connects in a moment, and is gentle on a phone’s battery.',
  },
  {
    title: 'Online security',
    text: 'Everything your device sends leaves through an encrypted tunnel. The network you are on, in a café or a hotel, cannot read any of it.',
  },
  {
    title: 'Easy access',
    text: `One code to scan, or one file to import. Every order has ${CONNECTIONS.min} connections or more, one for each device.`,
  },
]

export const Benefits = () => {
  const { currency } = useCurrency()
  const { featuresMinor } = usePrices()
  return (
    <section id="features" className="scroll-mt-6 pt-16 sm:pt-24">
      <SectionHeading>What you get</SectionHeading>
      <div className="mt-8 grid gap-8 md:grid-cols-3">
        {BENEFITS.map(({ title, text }) => (
          <div key={title} className="border-t-2 border-hedge pt-4">
            <h3 className="text-xl">{title}</h3>
            <p className="mt-2 text-quiet-ink">{text}</p>
          </div>
        ))}
      </div>
      <details className="mt-8">
        <summary className="inline-flex min-h-11 items-center font-semibold text-hedge underline underline-offset-4">
          What the four options do
        </summary>
        <dl className="mt-2 grid gap-x-8 md:grid-cols-2">
          {FEATURES.map(({ key, label, text }) => (
            <div key={key} className="border-t border-line py-4">
              <dt className="flex justify-between gap-4 font-semibold">
                {label}
                <span className="font-normal text-quiet-ink tabular-nums">
                  {formatMoney(featuresMinor[key], currency)}
                </span>
              </dt>
              <dd className="text-quiet-ink">{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
