import { encodeBankMessage } from '#next-actions/bank-message.ts'
import type { NextActionRule, Situation } from '#next-actions/next-action-rule.ts'
import { saleOf } from '#payments/payment.ts'

/** The basic flow: the shop posts PaReq and MD to the bank, and hands back what the bank answers. */
export const challenge: NextActionRule = {
  status: 'awaiting 3ds result',
  lateCode: '108',
  show: ({ payment, id, publicUrl, projectId }) => ({
    acs: {
      pa_req: encodeBankMessage({ payment_id: payment.id, challenge: id }),
      acs_url: `${publicUrl}/acs`,
      md: encodeBankMessage({
        purchase_operation_id: saleOf(payment).id,
        project_id: projectId,
        payment_id: payment.id,
        try: id,
      }),
    },
  }),
}

/** The extended flow's first part: the bank looks at the browser through a hidden frame. */
export const method: NextActionRule = {
  status: 'awaiting 3ds result',
  lateCode: '108',
  show: ({ payment, id, publicUrl }) => {
    const data = encodeBankMessage({
      threeDSServerTransID: id,
      threeDSMethodNotificationURL: payment.acsReturn?.notificationUrl,
      payment_id: payment.id,
    })
    return {
      threeds2: {
        iframe: {
          url: `${publicUrl}/acs/method`,
          params: { threeDSMethodData: data, '3DSMethodData': data },
        },
      },
    }
  },
}

/** The extended flow's second part: the bank asks, and answers with a cres. */
export const nativeChallenge: NextActionRule = {
  status: 'awaiting 3ds result',
  lateCode: '108',
  show: (situation) => ({
    threeds2: {
      redirect: {
        url: `${situation.publicUrl}/acs/challenge`,
        params: {
          creq: challengeRequest(situation),
          threeDSSessionData: Buffer.from(situation.id).toString('base64url'),
        },
      },
    },
  }),
}

const challengeRequest = ({ payment, id }: Situation): string =>
  encodeBankMessage({
    messageType: 'CReq',
    messageVersion: '2.2.0',
    challengeWindowSize: '05',
    payment_id: payment.id,
    challenge: id,
  })

export const merchantAuth: NextActionRule = {
  status: 'awaiting merchant auth',
  lateCode: '10602',
  show: () => ({}),
}
