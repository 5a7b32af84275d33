import { ENDED_KEPT_DAYS } from '@hedgerow/domain/nodes'
import { Link } from 'wouter'
import { AT_ONCE, DEVICES, KEPT, REFUNDS, WHERE, WHO } from '#features/questions/before-buying.tsx'
import type { Asked } from '#features/questions/question.tsx'

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
      No. You pay once. We write to you before a connection ends. Until{' '}
      {ENDED_KEPT_DAYS} days after its end you can extend it; it keeps its keys and its name.
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
