import type { Dependencies } from '#dependencies.ts'
import { addJob } from '#jobs/add-job.ts'
import { Problem } from '#problems.ts'
import { hasEnquiry, insertEnquiry, type NewEnquiry } from './enquiries.queries.ts'

/**
 * Keeps what somebody wrote, and asks for the two mails about it: to the operator and back to the sender. The same
 * enquiry sent again changes nothing. Throws 'enquiry-id-taken'.
 */
export const sendEnquiry = async (
  { db }: Pick<Dependencies, 'db'>,
  enquiry: NewEnquiry,
): Promise<{ _id: string }> => {
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
