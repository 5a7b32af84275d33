import type { EnquiryKind } from '@hedgerow/domain/enquiries'
import type { ColumnType, Generated } from 'kysely'

/** What a customer wrote to a person. `id` was made by the sender. */
export type EnquiriesTable = {
  id: string
  kind: EnquiryKind
  customer_id: string
  name: string
  text: string
  state: Generated<'new' | 'answered'>
  created_at: ColumnType<Date, Date | undefined, never>
}

export type EnquiriesTables = { enquiries: EnquiriesTable }
