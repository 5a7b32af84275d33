import { maskCardNumbers } from '@hedgerow/domain/invoices'
import type { Dependencies } from '#dependencies.ts'
import { addJob } from '#jobs/add-job.ts'
import { Problem } from '#problems.ts'
import { hasEnquiry, insertEnquiry, type NewEnquiry } from './enquiries.queries.ts'

/**
 * Keeps what somebody wrote, and asks for the two mails about it: to the operator and back to the sender. The same
 * enquiry sent again changes nothing. A card number in it is neither kept nor mailed. Throws 'enquiry-id-taken'.
 */
export const sendEnquiry = async (
  { db }: Pick<Dependencies, 'db'>,
  given: NewEnquiry,
): Promise<{ _id: string }> => {
  const enquiry = { ...given, name: maskCardNumbers(given.name), text: maskCardNumbers(given.text) }
  await db.transaction().execute(async (trx) => {
    const inserted = await insertEnquiry(trx, enquiry)
    if (inserted) {
      await addJob(trx, 'mail-enquiry', { enquiryId: enquiry.id })
      await addJob(trx, 'mail-enquiry-received', { enquiryId: enquiry.id })
    } else if (!(await hasEnquiry(trx, enquiry))) {
      throw new Problem('enquiry-id-taken')
    }
  })
  return { _id: enquiry.id }
}
