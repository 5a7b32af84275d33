import { CONNECTIONS } from '@hedgerow/domain/pricing'
import { Link } from 'wouter'
import { ServerPlaces } from '#features/locations/server-places.tsx'
import type { Asked } from '#features/questions/question.tsx'
import { brand } from '#shared/brand.ts'

const { legalName, number, registeredOffice, email, phone } = brand.company

/*
 * Each sentence here and in more-questions.tsx can be checked: in the privacy policy, the terms, docs/privacy.md and
 * docs/node.md. What changes there changes here.
 */

export const WHERE: Asked = {
  question: 'Where are the servers?',
  answer: (
    <>
      <ServerPlaces />
      <p>
        A connection runs on one server, which your profile names.{' '}
        <Link to="/status" className="link">
          The status page
        </Link>{' '}
        says which are up.
      </p>
    </>
  ),
}

export const KEPT: Asked = {
  question: 'What do you keep of what I do online?',
  answer: (
    <>
      <p>
        Neither the server nor the shop stores the names that are looked up, what is sent, or when you were
        connected.
      </p>
      <p>
        While a device is connected, the server has to know its internet address, or no answer would find
        back. It forgets it three minutes after the device was last heard, and never tells it to the shop.
      </p>
      <p>
        The shop keeps the last day on which a connection was used: a day, never a time of day, and never from
        where. If a server was told to count bytes, it keeps how many in all.
      </p>
    </>
  ),
}

export const REFUNDS: Asked = {
  question: 'Can I have my money back?',
  answer: (
    <>
      <p>
        Yes, within 14 days, without a reason. We keep the part of the price for the time up to your
        cancelling, counted to the second, and pay back the rest. Nothing is charged for it.
      </p>
      <p>
        A button beside each purchase does it, and shows the sum first.{' '}
        <Link to="/cancel" className="link">
          The page for cancelling
        </Link>{' '}
        works without logging in. After the 14 days we do not pay back a connection only because you no longer
        want it.
      </p>
    </>
  ),
}

export const WHO: Asked = {
  question: 'Who runs this?',
  answer: (
    <>
      <p>
        {legalName}, registered in England and Wales, company number {number}. Registered office:{' '}
        {registeredOffice}.
      </p>
      <p className="wrap-anywhere">
        Email{' '}
        <a href={`mailto:${email}`} className="link">
          {email}
        </a>
        , telephone{' '}
        <a href={`tel:${phone.replaceAll(' ', '')}`} className="link">
          {phone}
        </a>
        .
      </p>
    </>
  ),
}

export const DEVICES: Asked = {
  question: 'Which devices does it work on?',
  answer: (
    <>
      <p>
        On everything that runs WireGuard: Windows, macOS, Linux, iPhone, iPad, Android, and routers that have
        a WireGuard client. On a router, one connection serves every device behind it.
      </p>
      <p>
        If a device cannot run WireGuard, the service does not work on it.{' '}
        <Link to="/manual" className="link">
          The manual
        </Link>{' '}
        shows the steps for each before you buy.
      </p>
    </>
  ),
}

export const AT_ONCE: Asked = {
  question: 'Can two devices use one connection at once?',
  answer: (
    <p>
      No. A connection is for one device: of two that have the same configuration, the server answers the one
      that it heard last. That is why every order has {CONNECTIONS.min} connections or more.
    </p>
  ),
}

/** What most people want to know first. */
export const BEFORE_BUYING: readonly Asked[] = [WHERE, KEPT, REFUNDS, WHO, DEVICES, AT_ONCE]
