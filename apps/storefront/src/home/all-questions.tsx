import { ENDED_KEPT_DAYS } from '@hedgerow/domain/nodes'
import { CONNECTIONS } from '@hedgerow/domain/pricing'
import { Link } from 'wouter'
import { ServerPlaces } from '#features/locations/server-places.tsx'
import type { Asked } from '#home/questions.tsx'
import { brand } from '#shared/brand.ts'

const { legalName, number, registeredOffice, email, phone } = brand.company

/*
 * Each sentence here can be checked: in the privacy policy, the terms, docs/privacy.md and
 * docs/node.md. What changes there changes here.
 */

const WHERE: Asked = {
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

const KEPT: Asked = {
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

const REFUNDS: Asked = {
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

const WHO: Asked = {
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

const DEVICES: Asked = {
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

const AT_ONCE: Asked = {
  question: 'Can two devices use one connection at once?',
  answer: (
    <p>
      No. A connection is for one device: of two that have the same configuration, the server answers the one
      that it heard last. That is why every order has {CONNECTIONS.min} connections or more.
    </p>
  ),
}

const SPEED: Asked = {
  question: 'How fast is it?',
  answer: (
    <>
      <p>
        We promise no number: it depends on your line, on how far the server is, and on how many use it at
        that moment. Connections with Priority bandwidth go first when the server’s line is busy.
      </p>
      <p>
        There is no limit on how much you send and receive. So that nobody takes a server from the others, a
        connection has at most 4,000 flows open at once, 500 of them to one port of one server, and 500
        look-ups of names a second; fewer flows where many share a server. Mail by port 25 is blocked.
      </p>
    </>
  ),
}

const FILTERS: Asked = {
  question: 'What do the filters do, and what can they not do?',
  answer: (
    <>
      <p>
        A filter works on the server, while a name is looked up: names on its list are not answered, in any
        app on the device. You turn those you bought on and off in your profile, without a new configuration.
        No list is kept of what was asked.
      </p>
      <p>
        A filter cannot stop somebody who uses encrypted look-ups (DNS over HTTPS) with a server of their own,
        or who knows the address. The Family content filter also blocks encrypted look-ups with the well-known
        resolvers.
      </p>
    </>
  ),
}

const ANONYMOUS: Asked = {
  question: 'Does it make me anonymous?',
  answer: (
    <p>
      No. A connection hides your internet traffic from the network that you are on, and websites see the
      server’s address in place of yours. They still know you by your log-ins and cookies. It does not protect
      you from harmful software.
    </p>
  ),
}

const ABOUT_ME: Asked = {
  question: 'What do you keep about me?',
  answer: (
    <>
      <p>
        For an account a name, an email address and a hash of your password; what you ordered and paid; your
        connections and their keys, with private keys encrypted; what you write to us. Your card’s full number
        and security code are never stored. There is no advertising and no tracking on our pages.
      </p>
      <p>
        You can download your data and delete your account in your profile, without asking us. Invoices stay
        as long as tax law says.{' '}
        <a href="/legal/privacy_policy.pdf" className="link">
          The privacy policy (PDF)
        </a>{' '}
        names everything, why, and for how long.
      </p>
    </>
  ),
}

const PAYING: Asked = {
  question: 'How can I pay?',
  answer: (
    <p>
      Orders of the calculator by card, from your bank by Open Banking, or by Blik, in euros or pounds; Blik
      takes złoty, at the rate that is shown. Plans by card, in pounds. The price includes VAT, and the total
      on the button that pays is all that you pay.
    </p>
  ),
}

const RENEWING: Asked = {
  question: 'Does it renew by itself?',
  answer: (
    <p>
      No. You pay once. We write to you before a connection ends. Until {ENDED_KEPT_DAYS} days after its end
      you can extend it; it keeps its keys and its name.
    </p>
  ),
}

const BEGINS: Asked = {
  question: 'When does it begin and end?',
  answer: (
    <p>
      Your connections are in your profile as soon as the payment has succeeded, and the days count from that
      moment, in steps of 24 hours. A connection stops within a minute of its end.
    </p>
  ),
}

const OTHERS: Asked = {
  question: 'I want to know something else.',
  answer: (
    <p>
      <Link to="/contact" className="link">
        Ask us
      </Link>
      , without an account. Customers write to us on the page{' '}
      <Link to="/support" className="link">
        Support
      </Link>
      .
    </p>
  ),
}

/** All questions, by what they are about. */
export const ALL_QUESTIONS: readonly { heading: string; asked: readonly Asked[] }[] = [
  { heading: 'The service', asked: [WHERE, DEVICES, AT_ONCE, SPEED, FILTERS, ANONYMOUS] },
  { heading: 'What we keep', asked: [KEPT, ABOUT_ME] },
  { heading: 'Paying', asked: [PAYING, BEGINS, RENEWING, REFUNDS] },
  { heading: 'Us', asked: [WHO, OTHERS] },
]
