import type { CancellationForm } from '@hedgerow/contract/cancellations'
import { declarationTo } from '@hedgerow/domain/cancellations'
import { brand } from '#shared/brand.ts'

/** The statement as it is sent, to be read. */
export const StatementText = ({ statement }: { statement: CancellationForm }) => {
  const { name, contract, email, message } = statement
  const lines = [
    ['Contract', contract],
    ['Name', name],
    ['Confirmation to', email],
    ...(message ? [['Added', message] as const] : []),
  ] as const
  return (
    <blockquote className="rounded-card border border-line bg-surface px-5 py-4">
      <p>{declarationTo(brand.company.legalName)}</p>
      <dl className="mt-3 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
        {lines.map(([label, text]) => (
          <div key={label} className="contents">
            <dt className="text-quiet-ink">{label}</dt>
            <dd className="mb-2 whitespace-pre-line wrap-anywhere sm:mb-0">{text}</dd>
          </div>
        ))}
      </dl>
    </blockquote>
  )
}
