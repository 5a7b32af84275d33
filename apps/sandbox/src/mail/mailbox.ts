import { randomUUID } from 'node:crypto'
import PostalMime from 'postal-mime'
import { noJournal, openJournal, readJournal } from '#journal.ts'

export type MailAttachment = {
  filename: string
  contentType: string
  contentId: string | undefined
  size: number
  base64: string
}

export type Mail = {
  id: string
  from: string
  /** Who it was really delivered to: the envelope, which blind copies are part of. */
  to: string[]
  subject: string
  /** Where an answer goes; undefined: to the sender. */
  replyTo?: string | undefined
  messageId?: string | undefined
  /** The mail that it answers, and those that the conversation began with. */
  inReplyTo?: string | undefined
  references?: string | undefined
  date: string
  text: string
  html: string | undefined
  attachments: MailAttachment[]
  size: number
}

export type Envelope = { from: string; to: string[] }

const MOST_MAILS = 1_000
const MOST_BYTES = 256 * 1_024 * 1_024

const parseMail = async (raw: Buffer, envelope: Envelope): Promise<Mail> => {
  const email = await PostalMime.parse(raw, { attachmentEncoding: 'base64' })
  return {
    id: randomUUID(),
    from: email.from?.address || envelope.from,
    to: envelope.to,
    subject: email.subject ?? '',
    replyTo: email.replyTo?.map(({ address }) => address).join(', '),
    messageId: email.messageId,
    inReplyTo: email.inReplyTo,
    references: email.references,
    date: new Date().toISOString(),
    text: email.text ?? '',
    html: email.html,
    attachments: email.attachments.map(({ filename, mimeType, contentId, content }, i) => ({
      filename: filename || `attachment-${i + 1}`,
      contentType: mimeType,
      contentId: contentId?.replace(/^<|>$/g, ''),
      size: Buffer.byteLength(String(content), 'base64'),
      base64: String(content),
    })),
    size: raw.length,
  }
}

/** The newest mails, no matter whom they were meant for. */
export type Mailbox = {
  readonly size: number
  receive(raw: Buffer, envelope: Envelope): Promise<void>
  find(id: string): Mail | undefined
  newestFirst(recipient?: string): Mail[]
  close(): Promise<void>
}

/** Without a file, in memory only. */
export const createMailbox = (file: string | undefined): Mailbox => {
  const mails = new Map<string, Mail>()
  let bytes = 0
  const add = (mail: Mail): void => {
    mails.set(mail.id, mail)
    bytes += mail.size
    for (const oldest of mails.values()) {
      if (mails.size <= MOST_MAILS && bytes <= MOST_BYTES) return
      mails.delete(oldest.id)
      bytes -= oldest.size
    }
  }

  if (file) for (const mail of readJournal<Mail>(file)) add(mail)
  const journal = file ? openJournal(file, mails.values()) : noJournal

  return {
    get size() {
      return mails.size
    },
    receive: async (raw, envelope) => {
      const mail = await parseMail(raw, envelope)
      add(mail)
      journal.append(mail)
    },
    find: (id) => mails.get(id),
    newestFirst: (recipient) => {
      const wanted = recipient?.toLowerCase()
      const isFor = (mail: Mail) => !wanted || mail.to.some((each) => each.toLowerCase() === wanted)
      return [...mails.values()].filter(isFor).reverse()
    },
    close: () => journal.close(),
  }
}
