import { until } from './until.ts'

type Attachment = { filename: string; contentType: string; size: number; url: string }
export type ReceivedMail = {
  id: string
  from: string
  to: string
  subject: string
  replyTo: string | null
  messageId: string | null
  inReplyTo: string | null
  references: string | null
  text: string
  html: string | null
  attachments: Attachment[]
}

type Summary = Pick<ReceivedMail, 'id' | 'subject'>

/** The inbox of the sandbox, where every mail of the shop arrives. */
export const mailbox = ({ sandbox }: { sandbox: { url: string } }) => {
  const list = async (to: string, subject: string): Promise<Summary[]> => {
    const url = `${sandbox.url}/mail/messages?to=${encodeURIComponent(to)}`
    const mails = (await (await fetch(url)).json()) as Summary[]
    return mails.filter((mail) => mail.subject.includes(subject))
  }
  const read = async ({ id }: Summary): Promise<ReceivedMail> =>
    (await fetch(`${sandbox.url}/mail/messages/${id}`)).json() as Promise<ReceivedMail>
  return {
    /** Mails to the address, newest first, that have arrived by now. */
    list,
    /** The newest mail to the address whose subject contains the words, as soon as there is one. */
    latest: async (to: string, subject: string): Promise<ReceivedMail> =>
      read(await until(async () => (await list(to, subject))[0])),
    /** One that answers go to this address of, as soon as it has come: for inboxes that others write to as well. */
    from: (to: string, subject: string, replyTo: string): Promise<ReceivedMail> =>
      until(async () => {
        const mails = await Promise.all((await list(to, subject)).map(read))
        return mails.find((mail) => mail.replyTo?.includes(replyTo))
      }),
  }
}

/** The link in a mail that leads to this part of the shop. */
export const linkIn = (mail: ReceivedMail, part: string): string => {
  const link = mail.text.match(/https?:\S+/g)?.find((url) => url.includes(part))
  if (!link) throw new Error(`The mail has no link to ${part}:\n${mail.text}`)
  return link
}

/** The last part of such a link. */
export const tokenIn = (mail: ReceivedMail, part: string): string =>
  linkIn(mail, part).split('/').at(-1) ?? ''
