import { brand } from '#shared/brand.ts'

/** Who takes the money, and where to write: said where someone is about to pay. */
export const SoldBy = () => {
  const { legalName, email } = brand.company
  return (
    <p className="mt-6 border-t border-line pt-4 text-sm text-quiet-ink">
      Sold by {legalName}. Any questions before you pay? Write to{' '}
      <a href={`mailto:${email}`} className="link">
        {email}
      </a>
      .
    </p>
  )
}
