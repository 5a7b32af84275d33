import { saleOf } from '#gateway/payment.ts'
import { encodeBankMessage } from '#issuer/bank-answer.ts'
import type { Asking, Step } from '#steps/step.ts'

/** The basic flow: the shop posts PaReq and MD to the bank, and hands back what the bank answers. */
export const challenge: Step = {
  status: 'awaiting 3ds result',
  lateCode: '108',
  show: ({ gateway, payment, id }) => ({
    acs: {
      pa_req: encodeBankMessage({ payment_id: payment.id, challenge: id }),
      acs_url: `${gateway.publicUrl}/acs`,
      md: encodeBankMessage({
        purchase_operation_id: saleOf(payment).id,
        project_id: gateway.settings.projectId,
        payment_id: payment.id,
        try: id,
      }),
    },
  }),
}

/** The extended flow's first part: the bank looks at the browser through a hidden frame. */
export const method: Step = {
  status: 'awaiting 3ds result',
  lateCode: '108',
  show: ({ gateway, payment, id }) => {
    const data = encodeBankMessage({
      threeDSServerTransID: id,
      threeDSMethodNotificationURL: payment.acsReturn?.notificationUrl,
      payment_id: payment.id,
    })
    return {
      threeds2: {
        iframe: {
          url: `${gateway.publicUrl}/acs/method`,
          params: { threeDSMethodData: data, '3DSMethodData': data },
        },
      },
    }
  },
}

/** The extended flow's second part: the bank asks, and answers with a cres. */
export const nativeChallenge: Step = {
  status: 'awaiting 3ds result',
  lateCode: '108',
  show: ({ gateway, payment, id }) => ({
    threeds2: {
      redirect: {
        url: `${gateway.publicUrl}/acs/challenge`,
        params: { creq: challengeRequest({ gateway, payment, id }), threeDSSessionData: sessionOf(id) },
      },
    },
  }),
}

const challengeRequest = ({ payment, id }: Asking): string =>
  encodeBankMessage({
    messageType: 'CReq',
    messageVersion: '2.2.0',
    challengeWindowSize: '05',
    payment_id: payment.id,
    challenge: id,
  })

const sessionOf = (id: string): string => Buffer.from(id).toString('base64url')

export const merchantAuth: Step = {
  status: 'awaiting merchant auth',
  lateCode: '10602',
  show: () => ({}),
}
