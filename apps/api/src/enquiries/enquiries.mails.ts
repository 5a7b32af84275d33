import { formatDateTime } from '@hedgerow/domain/dates'
import type { EnquiryKind } from '@hedgerow/domain/enquiries'
import type { Dependencies } from '#dependencies.ts'
import { renderLetter } from '#mail/layout.ts'
import { findEnquiry } from './enquiries.queries.ts'

type Deps = Pick<Dependencies, 'db' | 'mailer' | 'settings'>

const WORDS: Record<EnquiryKind, { heading: string; received: string; next: string }> = {
  application: {
    heading: 'White label application',
    received: 'We received your application',
    next: 'A person reads it and writes to you at this address about the next step.',
  },
  support: {
    heading: 'Support message',
    received: 'We received your message',
    next: 'A person reads it and answers to this address.',
  },
}

/** To the operator, whose answer goes to the customer. */
export const mailEnquiry = async ({ db, mailer, settings }: Deps, enquiryId: string, key: string) => {
  const enquiry = await findEnquiry(db, enquiryId)
  if (!enquiry) return
  const { heading } = WORDS[enquiry.kind]
  const letter = {
    heading,
    paragraphs: [`${enquiry.name} (${enquiry.email}) wrote on ${formatDateTime(enquiry.created_at)}:`],
    quote: enquiry.text,
    notes: [`Answer this mail to write to ${enquiry.email}. The number of this message is ${enquiryId}.`],
  }
  await mailer.send({
    to: settings.operatorEmail,
    replyTo: enquiry.email,
    subject: `${heading} from ${enquiry.name}`,
    key,
    ...renderLetter(letter, settings.brand),
  })
}

/** To the customer: it has arrived, and these were the words. */
export const mailEnquiryReceived = async ({ db, mailer, settings }: Deps, enquiryId: string, key: string) => {
  const enquiry = await findEnquiry(db, enquiryId)
  if (!enquiry) return
  const { received, next } = WORDS[enquiry.kind]
  const letter = {
    heading: received,
    paragraphs: [`Hello ${enquiry.name},`, `Thank you. ${next} This is what you wrote:`],
    quote: enquiry.text,
  }
  await mailer.send({ to: enquiry.email, subject: received, key, ...renderLetter(letter, settings.brand) })
}
