import { LEGAL_PATHS, SAMPLE_LEGAL_TEXTS } from '@hedgerow/domain/legal-texts'
import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { Hedge } from '@hedgerow/ui/page/hedge.tsx'
import { useId, useState } from 'react'
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

type FooterLink = { to: string; label: string; isFile?: true }

const LEGAL: readonly FooterLink[] = [
  CANCEL,
  { to: LEGAL_PATHS.terms, label: 'Terms of service (PDF)', isFile: true },
  { to: LEGAL_PATHS.privacy, label: 'Privacy policy (PDF)', isFile: true },
]

const GROUPS: readonly { title: string; links: readonly FooterLink[] }[] = [
  { title: 'Shop', links: [HOME, PRODUCTS, { to: '/profile', label: 'Profile' }, STATUS] },
  { title: 'Help', links: [MANUAL, QUESTIONS, CONTACT, SUPPORT, CHECK] },
  { title: 'Partners', links: [...PARTNERSHIP_LINKS, { to: '/submit', label: 'Participate' }] },
  { title: 'Legal', links: LEGAL },
]

const LINK = 'inline-block py-2.5 hover:text-hedge hover:underline underline-offset-4'

const asLink = ({ to, label, isFile }: FooterLink) => (
  <li key={to}>
    {isFile ? (
      <a href={to} className={LINK}>
        {label}
      </a>
    ) : (
      <Link to={to} className={LINK}>
        {label}
      </Link>
    )}
  </li>
)

/** Folded on a phone, until it is opened. */
const Group = ({ title, links }: { title: string; links: readonly FooterLink[] }) => {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="max-md:border-b max-md:border-line">
      <p className="font-semibold max-md:hidden">{title}</p>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="group flex min-h-12 w-full items-center justify-between font-semibold md:hidden"
      >
        {title}
        <ChevronDown className="size-5 text-quiet-ink group-aria-expanded:rotate-180" />
      </button>
      <ul id={id} className={isOpen ? 'pb-2' : 'max-md:hidden max-md:[@media(scripting:none)]:block'}>
        {links.map(asLink)}
      </ul>
    </div>
  )
}

const Company = () => {
  const { legalName, number, registeredOffice, vatNumber, email, phone } = brand.company
  return (
    <address className="wrap-anywhere not-italic">
      <p className="whitespace-pre-line">
        {`${legalName}\nCompany number ${number}\nVAT number ${vatNumber}\nRegistered office:`}
      </p>
      <p className="text-balance">{registeredOffice}</p>
      <a href={`mailto:${email}`} className="link mr-5 inline-flex min-h-11 items-center">
        <span>
          {email.replace(/@.*/, '@')}
          <wbr />
          {email.replace(/.*@/, '')}
        </span>
      </a>
      {phone && (
        <a href={`tel:${phone.replaceAll(' ', '')}`} className="link inline-flex min-h-11 items-center">
          {phone}
        </a>
      )}
    </address>
  )
}

const Sample = () =>
  __SAMPLE_LEGAL_TEXTS__ && (
    <p className="border-t border-straw pt-2 text-sm text-straw max-md:order-last md:col-span-full">
      {SAMPLE_LEGAL_TEXTS}
    </p>
  )

/** Who sells, and on what terms: nothing that leads away from paying. */
const CheckoutFooter = () => {
  const { legalName, number, registeredOffice, email } = brand.company
  return (
    <footer className="mt-10 border-t border-line">
      <div className="mx-auto max-w-page px-4 py-4 text-sm text-quiet-ink sm:px-6">
        <p>
          {`${legalName}, company number ${number}, ${registeredOffice}. `}
          <a href={`mailto:${email}`} className="link">
            {email}
          </a>
        </p>
        <ul className="flex flex-wrap gap-x-5">{LEGAL.map(asLink)}</ul>
        <Sample />
      </div>
    </footer>
  )
}

const WholeFooter = () => {
  // A page is taken over as it was prerendered, which may have been last year.
  const year = useHydrated() ? new Date().getFullYear() : __BUILD_YEAR__
  return (
    <footer className="mt-10">
      <Hedge />
      <div className="mx-auto grid max-w-page grid-cols-1 gap-8 px-4 py-8 sm:px-6 md:grid-cols-[1fr_2fr] md:py-10">
        <div className="max-w-measure text-sm text-quiet-ink max-md:order-last">
          <p className="mb-2 font-serif text-xl font-semibold text-ink">{brand.name}</p>
          <p className="mb-4">{brand.tagline}.</p>
          <Company />
        </div>
        <nav
          aria-label="Footer"
          className="gap-x-6 gap-y-8 max-md:border-t max-md:border-line md:grid md:grid-cols-2 lg:grid-cols-[2fr_3fr_3fr_4fr]"
        >
          {GROUPS.map((group) => (
            <Group key={group.title} {...group} />
          ))}
        </nav>
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 max-md:order-last md:col-span-full">
          <p className="text-sm text-quiet-ink">
            © {year} {brand.company.legalName}
          </p>
          <CardBrands />
          {brand.social.length > 0 && <SocialLinks />}
        </div>
        <Sample />
      </div>
    </footer>
  )
}

export const Footer = ({ isCheckout }: { isCheckout: boolean }) =>
  isCheckout ? <CheckoutFooter /> : <WholeFooter />
