import { Link } from 'react-router'
import { brand } from '#app/brand.ts'
import { CardBrands } from '#app/card-brands.tsx'
import { SocialLinks } from '#app/social-links.tsx'
import { Hedge } from '#ui/hedge.tsx'

const LINKS = [
  { to: '/', label: 'Home' },
  { to: '/products', label: 'Products' },
  { to: '/clients', label: 'Manual' },
  { to: '/profile', label: 'Profile' },
  { to: '/terms', label: 'Terms and privacy' },
] as const

const LINK = 'inline-flex min-h-11 items-center hover:text-hedge hover:underline underline-offset-4'

export const Footer = () => {
  const { legalName, number, registeredOffice, vatNumber, email } = brand.company
  return (
    <footer className="mt-10">
      <Hedge />
      <div className="mx-auto grid max-w-page gap-8 px-4 py-10 sm:px-6 md:grid-cols-[2fr_1fr_1fr]">
        <div className="max-w-measure text-sm text-quiet-ink">
          <p className="mb-2 font-serif text-xl font-semibold text-ink">{brand.name}</p>
          <p>{brand.tagline}.</p>
          <address className="mt-4 not-italic">
            {legalName}
            <br />
            Company number {number}, VAT number {vatNumber}
            <br />
            Registered office: {registeredOffice}
            <br />
            <a href={`mailto:${email}`} className="link inline-flex min-h-11 items-center">
              {email}
            </a>
          </address>
        </div>
        <nav aria-label="Footer">
          <ul>
            {LINKS.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className={LINK}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="space-y-6">
          <CardBrands />
          <SocialLinks />
        </div>
        <p className="text-sm text-quiet-ink md:col-span-3">
          © {new Date().getFullYear()} {legalName}
        </p>
      </div>
    </footer>
  )
}
