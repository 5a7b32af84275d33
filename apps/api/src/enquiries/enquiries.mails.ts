import { formatDateTime } from '@hedgerow/domain/dates'
import type { EnquiryKind } from '@hedgerow/domain/enquiries'
import type { Dependencies } from '#dependencies.ts'
import type { JobPayloads } from '#jobs/add-job.ts'
import { renderLetter } from '#mail/layout.ts'
import { findEnquiry, findMessage } from './enquiries.queries.ts'
import { keyOf, RECEIVED } from './mail-threads.ts'

type Deps = Pick<Dependencies, 'db' | 'mailer' | 'settings'>

const WORDS: Record<EnquiryKind, { heading: string; next: string; group: string }> = {
  application: {
    heading: 'White label application',
    next: 'A person reads it and writes to you at this address about the next step.',
    group: 'application',
  },
  support: {
    heading: 'Support message',
    next: 'A person reads it and answers to this address.',
    group: 'support',
  },
}

/** To the operator: first words, or what was written on. */
const mailOperator = async ({ db, mailer, settings }: Deps, enquiryId: string, messageId: string) => {
  const enquiry = await findEnquiry(db, enquiryId)
  const message = await findMessage(db, enquiryId, messageId)
  if (!enquiry || !message) return
  const { heading, group } = WORDS[enquiry.kind]
  const isFirst = message.id === enquiry.id
  const subject = `${heading} from ${enquiry.name}`
  const letter = {
    heading: isFirst ? heading : `${heading}, continued`,
    paragraphs: [`${enquiry.name} (${enquiry.email}) wrote on ${formatDateTime(message.created_at)}:`],
    quote: message.text,
    notes: [
      `Answer it by: npm run ops -- ${group} reply ${enquiry.id}`,
      `Then the answer is in the customer’s profile too. Answering this mail also reaches ${enquiry.email}, but leaves no trace in the conversation.`,
    ],
  }
  await mailer.send({
    to: settings.operatorEmail,
    replyTo: enquiry.email,
    subject: isFirst ? subject : `Re: ${subject}`,
    key: keyOf(message.id, 'operator'),
    ...(isFirst ? {} : { threadKey: keyOf(enquiry.id, 'operator') }),
    ...renderLetter(letter, settings.brand),
  })
}

export const mailEnquiry = (deps: Deps, enquiryId: string) => mailOperator(deps, enquiryId, enquiryId)

export const mailWrittenOn = (deps: Deps, { enquiryId, messageId }: JobPayloads['mail-written-on']) =>
  mailOperator(deps, enquiryId, messageId)

/** To the customer: it has arrived, and these were the words. */
export const mailEnquiryReceived = async ({ db, mailer, settings }: Deps, enquiryId: string) => {
  const enquiry = await findEnquiry(db, enquiryId)
  const message = await findMessage(db, enquiryId, enquiryId)
  if (!enquiry || !message) return
  const received = RECEIVED[enquiry.kind]
  const letter = {
    heading: received,
    paragraphs: [`Hello ${enquiry.name},`, `Thank you. ${WORDS[enquiry.kind].next} This is what you wrote:`],
    quote: message.text,
    notes: ['You find it in your profile too, with the answers.'],
  }
  await mailer.send({
    to: enquiry.email,
    subject: received,
    key: keyOf(enquiry.id, 'customer'),
    ...renderLetter(letter, settings.brand),
  })
}
