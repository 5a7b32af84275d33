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

/** A mail of which nothing is known but its envelope. */
export type Arrival = Pick<Mail, 'id' | 'from' | 'to' | 'date' | 'size'> & {
  /** A character for each byte: so it can stand in a line of the journal. */
  raw: string
}
