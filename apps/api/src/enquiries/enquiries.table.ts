import type { EnquiryKind, EnquiryState, MessageAuthor } from '@hedgerow/domain/enquiries'
import type { ColumnType, Generated, Selectable } from 'kysely'

type Time = ColumnType<Date, Date | undefined, Date>

/** A conversation between a customer and the operator. `id` was made by the customer's page. */
export type EnquiriesTable = {
  id: string
  kind: EnquiryKind
  customer_id: string
  name: string
  state: Generated<EnquiryState>
  created_at: ColumnType<Date, Date | undefined, never>
  last_message_at: Time
}

/** The first one of a conversation carries the conversation's id. */
export type EnquiryMessagesTable = {
  id: string
  enquiry_id: string
  author: MessageAuthor
  text: string
  created_at: ColumnType<Date, Date | undefined, never>
}

export type EnquiryRow = Selectable<EnquiriesTable>
export type MessageRow = Selectable<EnquiryMessagesTable>

export type EnquiriesTables = { enquiries: EnquiriesTable; enquiry_messages: EnquiryMessagesTable }
