import { randomUUID } from 'node:crypto'
import PostalMime from 'postal-mime'
import { type Journal, noJournal, openJournal, readJournal } from '#journal.ts'

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

/** The newest mails, whoever they were meant for. */
export class Mailbox {
  private readonly mails = new Map<string, Mail>()
  private bytes = 0
  private journal: Journal = noJournal

  constructor(file: string | undefined) {
    if (!file) return
    for (const mail of readJournal<Mail>(file)) this.add(mail)
    this.journal = openJournal(file, this.mails.values())
  }

  async receive(raw: Buffer, envelope: Envelope): Promise<void> {
    const mail = await parseMail(raw, envelope)
    this.add(mail)
    this.journal.append(mail)
  }

  get size(): number {
    return this.mails.size
  }

  find(id: string): Mail | undefined {
    return this.mails.get(id)
  }

  newestFirst(recipient?: string): Mail[] {
    const wanted = recipient?.toLowerCase()
    const isFor = (mail: Mail) => !wanted || mail.to.some((each) => each.toLowerCase() === wanted)
    return [...this.mails.values()].filter(isFor).reverse()
  }

  close(): Promise<void> {
    return this.journal.close()
  }

  private add(mail: Mail): void {
    this.mails.set(mail.id, mail)
    this.bytes += mail.size
    for (const oldest of this.mails.values()) {
      if (this.mails.size <= MOST_MAILS && this.bytes <= MOST_BYTES) return
      this.mails.delete(oldest.id)
      this.bytes -= oldest.size
    }
  }
}
