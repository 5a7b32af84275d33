import type { ReactNode } from 'react'
import { brand } from '#app/brand.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { PageHeader } from '#ui/page-header.tsx'

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-8">
    <h2 className="mb-2 text-xl">{title}</h2>
    <div className="space-y-3">{children}</div>
  </section>
)

export const TermsPage = () => {
  const { company } = brand
  return (
    <div className="mx-auto max-w-measure">
      <PageHeader title="Terms and privacy" lead="What you agree to when you buy from us, in plain words." />
      <Notice kind="warning" title="This is a template">
        A lawyer has to check it before the shop opens.
      </Notice>
      <Part title="Who you buy from">
        <p>
          {company.legalName}, company number {company.number}, registered office {company.registeredOffice}.
          VAT number {company.vatNumber}. Write to{' '}
          <a href={`mailto:${company.email}`} className="link">
            {company.email}
          </a>{' '}
          or call {company.phone}.
        </p>
      </Part>
      <Part title="What you buy">
        <p>
          Connections to our VPN servers for the number of days that you choose. It is a digital service: the
          connections are in your profile as soon as the payment is through, and the days count from then. You
          pay once; nothing renews by itself.
        </p>
        <p>Prices include VAT. The total before you pay is all that you pay.</p>
      </Part>
      <Part title="Your right to cancel">
        <p>
          You can cancel within 14 days, without a reason: write to us at the address above. By paying you ask
          us to supply at once, so we keep the part that was used and pay the rest back to the card that you
          paid with.
        </p>
      </Part>
      <Part title="How to use it">
        <p>Do not use the connections to break the law or to harm others; we may stop one that is used so.</p>
      </Part>
      <Part title="What we store about you">
        <ul className="list-disc space-y-1 pl-5">
          <li>your name and email</li>
          <li>
            your orders, with the masked number of the card that paid: the first six and last four digits
          </li>
          <li>the keys of your connections, encrypted</li>
        </ul>
        <p>
          The full card number and the security code go to the payment system and are never stored. We keep no
          logs of your traffic.
        </p>
        <p>
          We use no cookies for tracking, and give your details to nobody who does not need them to serve you.
        </p>
      </Part>
      <ButtonLink to="/signup" className="mt-10">
        Continue
      </ButtonLink>
    </div>
  )
}
