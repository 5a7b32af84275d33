import { LEGAL_PATHS, SAMPLE_LEGAL_TEXTS } from '@hedgerow/domain/legal-texts'
import { Hedge } from '@hedgerow/ui/page/hedge.tsx'
import { Link } from 'wouter'
import { CardBrands } from '#app/card-brands.tsx'
import {
  CANCEL,
  CHECK,
  CONTACT,
  HOME,
  MANUAL,
  PARTNERSHIP_LINKS,
  PRODUCTS,
  QUESTIONS,
  STATUS,
  SUPPORT,
} from '#app/nav-links.ts'
import { SocialLinks } from '#app/social-links.tsx'
import { useHydrated } from '#lib/use-hydrated.ts'
import { brand } from '#shared/brand.ts'

const SHOP = [
  HOME,
  PRODUCTS,
  MANUAL,
  QUESTIONS,
  CONTACT,
  SUPPORT,
  { to: '/profile', label: 'Profile' },
  STATUS,
  CHECK,
]
const PARTNERS = [...PARTNERSHIP_LINKS, { to: '/submit', label: 'Participate' }]

const LEGAL = [
  { href: LEGAL_PATHS.terms, label: 'Terms of service (PDF)' },
  { href: LEGAL_PATHS.privacy, label: 'Privacy policy (PDF)' },
]

const LINK = 'inline-flex min-h-11 items-center hover:text-hedge hover:underline underline-offset-4'

const asLink = ({ to, label }: { to: string; label: string }) => (
  <li key={to}>
    <Link to={to} className={LINK}>
      {label}
    </Link>
  </li>
)

export const Footer = () => {
  const { legalName, number, registeredOffice, vatNumber, email, phone } = brand.company
  // A page is taken over as it was prerendered, which may have been last year.
  const year = useHydrated() ? new Date().getFullYear() : __BUILD_YEAR__
  return (
    <footer className="mt-10">
      <Hedge />
      <div className="mx-auto grid max-w-page gap-8 px-4 py-10 sm:px-6 md:grid-cols-[3fr_2fr_3fr] lg:grid-cols-[5fr_2fr_3fr_auto]">
        <div className="max-w-measure text-sm text-quiet-ink">
          <p className="mb-2 font-serif text-xl font-semibold text-ink">{brand.name}</p>
          <p>{brand.tagline}.</p>
          <address className="mt-4 not-italic">
            <p className="whitespace-pre-line">
              {`${legalName}\nCompany number ${number}\nVAT number ${vatNumber}\nRegistered office:`}
            </p>
            <p className="text-balance">{registeredOffice}</p>
            <a href={`mailto:${email}`} className="link inline-flex min-h-11 items-center">
              {email}
            </a>
            {phone && (
              <>
                <br />
                <a
                  href={`tel:${phone.replaceAll(' ', '')}`}
                  className="link inline-flex min-h-11 items-center"
                >
                  {phone}
                </a>
              </>
            )}
          </address>
        </div>
        <nav aria-label="Footer" className="grid gap-x-4 xs:grid-cols-[2fr_3fr] md:contents md:*:-mt-2">
          <ul>{SHOP.map(asLink)}</ul>
          <ul>
            {PARTNERS.map(asLink)}
            {asLink(CANCEL)}
            {LEGAL.map(({ href, label }) => (
              <li key={href}>
                <a href={href} className={LINK}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="space-y-6 md:col-span-3 lg:col-span-1">
          <CardBrands />
          {brand.social.length > 0 && <SocialLinks />}
        </div>
        <p className="text-sm text-quiet-ink md:col-span-full">
          © {year} {legalName}
        </p>
        {__SAMPLE_LEGAL_TEXTS__ && (
          <p className="border-t border-straw pt-2 text-sm text-straw md:col-span-full">
            {SAMPLE_LEGAL_TEXTS}
          </p>
        )}
      </div>
    </footer>
  )
}
