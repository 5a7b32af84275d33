import PostalMime, { type Email } from 'postal-mime'
import type { Arrival, Mail } from '#mail/mail.ts'

/** The server has taken it by now, so that it is too late to refuse it: it is shown as it came. */
const unreadable = (raw: string, error: Error): Email => ({
  headers: [],
  headerLines: [],
  text: `This mail cannot be read: ${error.message}\n\n${raw}`,
  attachments: [],
})

const readArrival = async ({ raw, ...arrival }: Arrival): Promise<Mail> => {
  const email = await PostalMime.parse(Buffer.from(raw, 'latin1'), { attachmentEncoding: 'base64' }).catch(
    (error: Error) => unreadable(raw, error),
  )
  return {
    ...arrival,
    from: email.from?.address || arrival.from,
    subject: email.subject ?? '',
    replyTo: email.replyTo?.map(({ address }) => address).join(', '),
    messageId: email.messageId,
    inReplyTo: email.inReplyTo,
    references: email.references,
    text: email.text ?? '',
    html: email.html,
    attachments: email.attachments.map(({ filename, mimeType, contentId, content }, i) => ({
      filename: filename || `attachment-${i + 1}`,
      contentType: mimeType,
      contentId: contentId?.replace(/^<|>$/g, ''),
      size: Buffer.byteLength(String(content), 'base64'),
      base64: String(content),
    })),
  }
}

/** As it came, until someone looks at it: most mails of a load test are never looked at. */
export type Kept = Arrival | Mail

export const readKept = async (kept: Kept): Promise<Mail> => ('raw' in kept ? readArrival(kept) : kept)
