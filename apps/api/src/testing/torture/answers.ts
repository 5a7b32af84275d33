import type {
  AuthorisationMetadata,
  ChallengeMetadata,
  ClarificationMetadata,
} from '@hedgerow/contract/payments'
import { bankForm } from '#testing/payments.ts'
import type { PlannedPayment } from '#testing/torture/plan.ts'
import { ask, isNoAnswer } from '#testing/torture/shop-door.ts'

export type Asked = { paymentId: string; status: string; metadata: string }

type Doors = { shopUrl: string; sandboxUrl: string }

/** A form of the gateway's, filled in. */
const filledIn = ({ fields }: ClarificationMetadata) =>
  Object.fromEntries(fields.map(({ name, type }) => [name, type === 'consent' ? true : 'SW1A 1AA']))

/** The customer at the bank, whose pages are the gateway's affair. */
const atTheBank = async (
  { sandboxUrl }: Doors,
  { paymentId }: Asked,
  { isApproved, code }: PlannedPayment,
) => {
  const body = { answer: isApproved ? 'approve' : 'refuse', ...(code ? { code } : {}) }
  return ask(`${sandboxUrl}/gate/payments/${paymentId}/answer`, { body })
}

/** Does once what the page shows is to be done. False: it may not have arrived. */
export const answerOnce = async (doors: Doors, asked: Asked, way: PlannedPayment): Promise<boolean> => {
  const { paymentId, status } = asked
  const api = `${doors.shopUrl}/api/v1/payment`
  const metadata: unknown = JSON.parse(asked.metadata)
  switch (status) {
    case 'awaiting 3ds result': {
      const body = bankForm(metadata as ChallengeMetadata, way.isApproved)
      return !isNoAnswer(await ask(`${api}/challenge/${paymentId}`, { body }))
    }
    case 'awaiting clarification': {
      const body = { answers: filledIn(metadata as ClarificationMetadata) }
      return !isNoAnswer(await ask(`${api}/clarification/${paymentId}`, { body }))
    }
    case 'awaiting merchant auth': {
      const { stage } = metadata as AuthorisationMetadata
      const body = stage === 'start' ? {} : { code: '1234' }
      return !isNoAnswer(await ask(`${api}/authorisation/${paymentId}`, { body }))
    }
    default:
      return !isNoAnswer(await atTheBank(doors, asked, way))
  }
}
