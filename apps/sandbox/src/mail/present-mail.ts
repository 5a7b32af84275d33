import type { Mail } from '#mail/mail.ts'

export const presentMailSummary = ({ id, from, to, subject, date }: Mail) => ({
  id,
  from,
  to: to.join(', '),
  subject,
  date,
})

export const attachmentPath = (mail: Mail, index: number): string =>
  `/mail/messages/${mail.id}/attachments/${index}`

export const presentMail = (mail: Mail, publicUrl: string) => ({
  ...presentMailSummary(mail),
  replyTo: mail.replyTo ?? null,
  messageId: mail.messageId ?? null,
  inReplyTo: mail.inReplyTo ?? null,
  references: mail.references ?? null,
  text: mail.text,
  html: mail.html ?? null,
  attachments: mail.attachments.map(({ filename, contentType, size }, i) => ({
    filename,
    contentType,
    size,
    url: publicUrl + attachmentPath(mail, i),
  })),
})

/** The mail's own HTML for the frame: links open in a new tab, and inline pictures come from the attachments. */
export const mailDocument = (mail: Mail): string => {
  const base = '<base target="_blank">'
  let document = mail.html ?? ''
  mail.attachments.forEach(({ contentId }, i) => {
    if (contentId) document = document.replaceAll(`cid:${contentId}`, attachmentPath(mail, i))
  })
  const head = /<head\b[^<>]*>/i
  return head.test(document) ? document.replace(head, (tag) => tag + base) : base + document
}
