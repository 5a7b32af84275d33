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
        Each connection runs on one server, which is named in your profile.{' '}
        <Link to="/status" className="link">
          The status page
        </Link>{' '}
        shows which are up.
      </p>
    </>
  ),
}

const KEPT: Asked = {
  question: 'What do you keep about what I do online?',
  answer: (
    <>
      <p>
        Neither the server nor the shop stores the domain names you look up, what you send, or when you were
        connected.
      </p>
      <p>
        While a device is connected, the server has to know its internet address, or replies could not reach
        it. It forgets the address three minutes after it last heard from the device, and never passes it to
        the shop.
      </p>
      <p>
        The shop keeps the last day on which each connection was used: the date only, never the time or the
        place. If a server has been set to count bytes, the shop keeps the total.
      </p>
    </>
  ),
}

const REFUNDS: Asked = {
  question: 'Can I get my money back?',
  answer: (
    <>
      <p>
        Yes, within 14 days, without giving a reason. We keep the part of the price for the time until you
        cancel, counted to the second, and refund the rest. There is no fee.
      </p>
      <p>
        Use the button beside each purchase, which shows the amount first.{' '}
        <Link to="/cancel" className="link">
          The cancellation page
        </Link>{' '}
        works without logging in. After the 14 days there is no refund for a change of mind.
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
        {phone && (
          <>
            , telephone{' '}
            <a href={`tel:${phone.replaceAll(' ', '')}`} className="link">
              {phone}
            </a>
          </>
        )}
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
        Anything that runs WireGuard: Windows, macOS, Linux, iPhone, iPad, Android, and routers with a
        WireGuard client. On a router, one connection serves every device behind it.
      </p>
      <p>
        If a device cannot run WireGuard, the service will not work on it.{' '}
        <Link to="/manual" className="link">
          The manual
        </Link>{' '}
        shows the steps for each, so you can check before you buy.
      </p>
    </>
  ),
}

const AT_ONCE: Asked = {
  question: 'Can two devices use one connection at once?',
  answer: (
    <p>
      No. A connection is for one device. If two use the same configuration, the server answers only the one
      it heard from last. That is why every order has {CONNECTIONS.min} connections or more.
    </p>
  ),
}

const SPEED: Asked = {
  question: 'How fast is it?',
  answer: (
    <>
      <p>
        That depends on your own line, how far away the server is, and how many people are using it at the
        time. Connections with Priority bandwidth go first when the server’s line is busy.
      </p>
      <p>
        There is no limit on how much you send and receive. So that nobody can take over a server, a
        connection can have at most 4,000 flows open at once, 500 of them to one port of one server, and make
        100 DNS look-ups a second, or 500 at once. Where many customers share a server, it can have fewer
        flows. Mail on port 25 is blocked.
      </p>
    </>
  ),
}

const FILTERS: Asked = {
  question: 'What do the filters do, and what can’t they do?',
  answer: (
    <>
      <p>
        Filters work on the server. When any app on your device looks up a domain on the list, the server
        blocks it. You can switch the filters you bought on and off in your profile, without a new
        configuration. No record is kept of what you look up.
      </p>
      <p>
        A filter cannot stop anyone who uses encrypted DNS (DNS over HTTPS) with another server, or who knows
        the site’s IP address. The Family content filter also blocks the well-known encrypted DNS services.
      </p>
    </>
  ),
}

const ANONYMOUS: Asked = {
  question: 'Does it make me anonymous?',
  answer: (
    <p>
      No. A connection hides your internet traffic from the network you are on, and websites see the server’s
      address instead of yours. They can still recognise you by your logins and cookies. It does not protect
      you from harmful software.
    </p>
  ),
}

const ABOUT_ME: Asked = {
  question: 'What do you keep about me?',
  answer: (
    <>
      <p>
        For an account, your name, your email address and a hash of your password. We also keep what you order
        and pay, your connections and their keys, with the private keys encrypted, and what you write to us.
        Your full card number and security code are never stored. There is no advertising and no tracking on
        our pages.
      </p>
      <p>
        You can download your data and delete your account in your profile, without asking us. We keep
        invoices for as long as tax law requires.{' '}
        <a href="/legal/privacy_policy.pdf" className="link">
          The privacy policy (PDF)
        </a>{' '}
        lists everything, why we keep it and for how long.
      </p>
    </>
  ),
}

const PAYING: Asked = {
  question: 'How can I pay?',
  answer: (
    <p>
      With the calculator you can pay by card, from your bank by Open Banking, or by Blik, in euros or pounds.
      Blik charges złoty, at the rate shown. Plans are paid by card, in pounds. Prices include VAT, and the
      total on the Pay button is all you pay.
    </p>
  ),
}

const RENEWING: Asked = {
  question: 'Does it renew automatically?',
  answer: (
    <p>
      No. You pay once. We email you before a connection ends. You can extend it until {ENDED_KEPT_DAYS} days
      after its end, and it keeps its keys and its name.
    </p>
  ),
}

const BEGINS: Asked = {
  question: 'When does it start and end?',
  answer: (
    <p>
      Your connections are in your profile as soon as your payment goes through. The days count from that
      moment, 24 hours each. A connection stops working within a minute of its end.
    </p>
  ),
}

const OTHERS: Asked = {
  question: 'I have another question.',
  answer: (
    <p>
      <Link to="/contact" className="link">
        Ask us
      </Link>
      . You don’t need an account. If you have one, write to{' '}
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
