import { randomUUID } from 'node:crypto'
import {
  canMoveEnquiry,
  type EnquiryKind,
  type EnquiryState,
  SAME_REPLY_MINUTES,
  stateAfterMessage,
} from '@hedgerow/domain/enquiries'
import { maskCardNumbers } from '@hedgerow/domain/invoices'
import type { Transaction } from 'kysely'
import type { Database } from '#database/schema.ts'
import type { Dependencies } from '#dependencies.ts'
import { addJob } from '#jobs/add-job.ts'
import {
  type EnquiryWithEmail,
  findEnquiriesByStart,
  findSameReply,
  insertMessage,
  listForOperator,
  listMessages,
  lockEnquiry,
  setState,
  touchEnquiry,
} from './enquiries.queries.ts'
import type { MessageRow } from './enquiries.table.ts'

type Deps = Pick<Dependencies, 'db'>
type Trx = Transaction<Database>

/** A terminal that scrolls for ever helps nobody; the newest are what counts. */
const TOLD_MESSAGES = 500

type Filter = { kind: EnquiryKind; state?: EnquiryState | undefined }

/** The one last written in first. */
export const searchEnquiries = ({ db }: Deps, filter: Filter, most: number) =>
  listForOperator(db, filter, most)

/** By its number, or the beginning of it: none, one, or several that begin so. */
export const findEnquiries = ({ db }: Deps, kind: EnquiryKind, start: string): Promise<EnquiryWithEmail[]> =>
  findEnquiriesByStart(db, kind, start)

export const tellMessages = ({ db }: Deps, enquiryId: string): Promise<MessageRow[]> =>
  listMessages(db, [enquiryId], TOLD_MESSAGES)

const keepReply = async (trx: Trx, enquiryId: string, text: string): Promise<string> => {
  const messageId = randomUUID()
  await insertMessage(trx, { id: messageId, enquiry_id: enquiryId, author: 'operator', text })
  return messageId
}

const close = async (trx: Trx, enquiryId: string): Promise<boolean> => {
  const enquiry = await lockEnquiry(trx, enquiryId)
  if (!enquiry || !canMoveEnquiry(enquiry.kind, enquiry.state, 'closed')) return false
  await setState(trx, enquiryId, 'closed')
  return true
}

type Reply = { enquiryId: string; text: string; isAgain: boolean; closes: boolean }
export type ReplyOutcome = 'sent' | 'known' | 'gone'

/**
 * Keeps the operator's answer and asks for its mail, both or neither. The same words within a few minutes are the same
 * command run twice, and mailed once, unless they are meant again.
 */
export const replyToEnquiry = (
  { db }: Deps,
  { enquiryId, text: given, isAgain, closes }: Reply,
): Promise<ReplyOutcome> =>
  db.transaction().execute(async (trx) => {
    const text = maskCardNumbers(given)
    const enquiry = await lockEnquiry(trx, enquiryId)
    if (!enquiry) return 'gone'
    const isKnown = !isAgain && (await findSameReply(trx, enquiryId, text, SAME_REPLY_MINUTES)) !== undefined
    if (!isKnown) {
      const messageId = await keepReply(trx, enquiryId, text)
      const state = stateAfterMessage(enquiry.kind, enquiry.state, 'operator')
      await touchEnquiry(trx, enquiryId, state)
      const moved = state === 'talking' && state !== enquiry.state ? { state } : {}
      await addJob(trx, 'mail-reply', { enquiryId, messageId, ...moved })
    }
    if (closes) await close(trx, enquiryId)
    return isKnown ? 'known' : 'sent'
  })

/** False when it was closed before. The customer is not told: nothing is asked of them. */
export const closeEnquiry = ({ db }: Deps, enquiryId: string): Promise<boolean> =>
  db.transaction().execute((trx) => close(trx, enquiryId))

type Decision = { enquiryId: string; state: EnquiryState<'application'>; note: string | undefined }
export type DecisionOutcome =
  | { kind: 'set' | 'gone' }
  /** It stands so already. Whether the note, if there is one, was sent with it. */
  | { kind: 'same'; isNoteKnown: boolean }
  | { kind: 'refused'; from: EnquiryState }

/** Sets how an application stands, and has the applicant told by one mail, with the note. */
export const decideApplication = (
  { db }: Deps,
  { enquiryId, state, note: given }: Decision,
): Promise<DecisionOutcome> =>
  db.transaction().execute(async (trx): Promise<DecisionOutcome> => {
    const note = given === undefined ? undefined : maskCardNumbers(given)
    const enquiry = await lockEnquiry(trx, enquiryId)
    if (enquiry?.kind !== 'application') return { kind: 'gone' }
    if (enquiry.state === state) {
      const isNoteKnown =
        note === undefined || (await findSameReply(trx, enquiryId, note, SAME_REPLY_MINUTES)) !== undefined
      return { kind: 'same', isNoteKnown }
    }
    if (!canMoveEnquiry('application', enquiry.state, state)) return { kind: 'refused', from: enquiry.state }
    const messageId = note === undefined ? undefined : await keepReply(trx, enquiryId, note)
    // Without a note nothing was written: a decision is no message.
    if (messageId) await touchEnquiry(trx, enquiryId, state)
    else await setState(trx, enquiryId, state)
    const changeId = randomUUID()
    const payload = { enquiryId, state, changeId, ...(messageId ? { messageId } : {}) }
    await addJob(trx, 'mail-application-state', payload)
    return { kind: 'set' }
  })
