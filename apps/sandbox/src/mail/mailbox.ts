import { randomUUID } from 'node:crypto'
import { noJournal, openJournal, readJournal } from '#journal.ts'
import type { Envelope, Mail } from '#mail/mail.ts'
import { type Kept, readKept } from '#mail/read-arrival.ts'

const MOST_MAILS = 1_000
const MOST_BYTES = 256 * 1_024 * 1_024

/** The newest mails, no matter whom they were meant for. */
export type Mailbox = {
  readonly size: number
  receive(raw: Buffer, envelope: Envelope): void
  find(id: string): Promise<Mail | undefined>
  newestFirst(recipient?: string, most?: number): Promise<Mail[]>
  close(): Promise<void>
}

/** Without a file, in memory only. */
export const createMailbox = (file: string | undefined): Mailbox => {
  const mails = new Map<string, Kept>()
  let bytes = 0
  const add = (mail: Kept): void => {
    mails.set(mail.id, mail)
    bytes += mail.size
    for (const oldest of mails.values()) {
      if (mails.size <= MOST_MAILS && bytes <= MOST_BYTES) return
      mails.delete(oldest.id)
      bytes -= oldest.size
    }
  }

  if (file) for (const mail of readJournal<Kept>(file)) add(mail)
  const journal = file ? openJournal(file, mails.values()) : noJournal

  const read = async (kept: Kept): Promise<Mail> => {
    const mail = await readKept(kept)
    // It may have been forgotten meanwhile; one that is still kept keeps its place among the others.
    if (mails.has(mail.id)) mails.set(mail.id, mail)
    return mail
  }

  return {
    get size() {
      return mails.size
    },
    receive: (raw, { from, to }) => {
      const { length: size } = raw
      const date = new Date().toISOString()
      const arrival = { id: randomUUID(), from, to, date, size, raw: raw.toString('latin1') }
      add(arrival)
      journal.append(arrival)
    },
    find: async (id) => {
      const kept = mails.get(id)
      return kept && read(kept)
    },
    newestFirst: async (recipient, most) => {
      const wanted = recipient?.toLowerCase()
      const isFor = ({ to }: Kept) => !wanted || to.some((each) => each.toLowerCase() === wanted)
      const newest = [...mails.values()].filter(isFor).reverse().slice(0, most)
      // One after the other: what is read of a whole inbox at once takes several times its size.
      const shown: Mail[] = []
      for (const kept of newest) shown.push(await read(kept))
      return shown
    },
    close: () => journal.close(),
  }
}
