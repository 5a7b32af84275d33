import type { Conversation } from '@hedgerow/contract/enquiries'
import { stateAfterMessage } from '@hedgerow/domain/enquiries'
import { maskCardNumbers } from '@hedgerow/domain/invoices'
import type { Dependencies } from '#dependencies.ts'
import { addJob } from '#jobs/add-job.ts'
import { Problem } from '#problems.ts'
import { presentConversation } from './enquiries.present.ts'
import {
  findEnquiry,
  hasEnquiry,
  hasMessage,
  insertEnquiry,
  insertMessage,
  listEnquiries,
  listMessages,
  lockEnquiry,
  type NewEnquiry,
  touchEnquiry,
} from './enquiries.queries.ts'
import type { EnquiryRow } from './enquiries.table.ts'

type Deps = Pick<Dependencies, 'db'>

/** What a page shows. A customer who has more finds it in "Download my data". */
const SHOWN_CONVERSATIONS = 50
const SHOWN_MESSAGES = 100
const ALL = 2 ** 31 - 1

/**
 * Keeps what somebody wrote, and asks for the two mails about it: to the operator and back to the sender. The same
 * enquiry sent again changes nothing. A card number in it is neither kept nor mailed. Throws 'enquiry-id-taken'.
 */
export const sendEnquiry = async (
  { db }: Deps,
  { text: given, ...enquiry }: NewEnquiry & { text: string },
): Promise<{ _id: string }> => {
  const { id } = enquiry
  const head = { ...enquiry, name: maskCardNumbers(enquiry.name) }
  const message = { id, enquiry_id: id, author: 'customer', text: maskCardNumbers(given) } as const
  await db.transaction().execute(async (trx) => {
    if (await insertEnquiry(trx, head)) {
      // A message of another conversation may have the id.
      if (!(await insertMessage(trx, message))) throw new Problem('enquiry-id-taken')
      await addJob(trx, 'mail-enquiry', { enquiryId: id })
      await addJob(trx, 'mail-enquiry-received', { enquiryId: id })
    } else if (!(await hasEnquiry(trx, head)) || !(await hasMessage(trx, message))) {
      throw new Problem('enquiry-id-taken')
    }
  })
  return { _id: id }
}

const withMessages = async (
  { db }: Deps,
  rows: readonly EnquiryRow[],
  mostOfEach: number,
): Promise<Conversation[]> => {
  const ids = rows.map(({ id }) => id)
  const messages = Map.groupBy(await listMessages(db, ids, mostOfEach), ({ enquiry_id }) => enquiry_id)
  return rows.map((row) => presentConversation(row, messages.get(row.id) ?? []))
}

/** The one last written in first. */
export const listConversations = async (deps: Deps, customerId: string): Promise<Conversation[]> =>
  withMessages(deps, await listEnquiries(deps.db, customerId, SHOWN_CONVERSATIONS), SHOWN_MESSAGES)

/** All of a customer, in full: part of what they may download of themselves. */
export const conversationsForExport = async (deps: Deps, customerId: string): Promise<Conversation[]> =>
  withMessages(deps, await listEnquiries(deps.db, customerId, ALL), ALL)

type Words = { enquiryId: string; customerId: string; id: string; text: string }

/**
 * A customer writes on, and the operator gets a mail. The same message sent again changes nothing.
 * Throws 'conversation-not-found' and 'enquiry-id-taken'.
 */
export const writeOn = async (
  deps: Deps,
  { enquiryId, customerId, id, text }: Words,
): Promise<Conversation> => {
  const message = { id, enquiry_id: enquiryId, author: 'customer', text: maskCardNumbers(text) } as const
  await deps.db.transaction().execute(async (trx) => {
    const enquiry = await lockEnquiry(trx, enquiryId)
    if (enquiry?.customer_id !== customerId) throw new Problem('conversation-not-found')
    if (await insertMessage(trx, message)) {
      await touchEnquiry(trx, enquiryId, stateAfterMessage(enquiry.kind, enquiry.state, 'customer'))
      await addJob(trx, 'mail-written-on', { enquiryId, messageId: id })
    } else if (!(await hasMessage(trx, message))) {
      throw new Problem('enquiry-id-taken')
    }
  })
  const row = await findEnquiry(deps.db, enquiryId)
  const [conversation] = await withMessages(deps, row ? [row] : [], SHOWN_MESSAGES)
  if (!conversation) throw new Problem('conversation-not-found')
  return conversation
}
