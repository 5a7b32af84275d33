import type { Asking, Step } from '#steps/step.ts'

const pageFor = ({ gateway, payment }: Asking): string =>
  `${gateway.publicUrl}/at-bank/${encodeURIComponent(payment.id)}`

const pageWithSession = (asking: Asking): string => `${pageFor(asking)}?session=${asking.id}`

/** Away to a page of the bank by a plain link. */
export const bank: Step = {
  status: 'awaiting redirect result',
  lateCode: '20602',
  show: (asking) => ({
    redirect_data: { method: 'GET', body: [], encrypted: [], url: pageWithSession(asking) },
  }),
}

/** Some banks are reached by a form instead. */
export const bankByPost: Step = {
  ...bank,
  show: (asking) => ({
    redirect_data: {
      method: 'POST',
      body: { session: asking.id, lang: 'en' },
      encrypted: [],
      url: pageFor(asking),
    },
  }),
}

/** 3-D Secure that the provider runs itself: the same redirect, but the status is that of 3-D Secure. */
export const providerChallenge: Step = { ...bank, status: 'awaiting 3ds result', lateCode: '108' }

/** The customer approves in their bank's app; there is nothing for a shop to show. */
export const bankApp: Step = {
  status: 'awaiting customer action',
  lateCode: '20602',
  show: () => ({}),
}

export const qr: Step = {
  status: 'awaiting customer action',
  lateCode: '10602',
  show: (asking) => ({
    display_data: [{ type: 'qr_data', title: 'QR code', data: pageWithSession(asking) }],
  }),
}
