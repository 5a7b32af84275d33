import type { NextActionRule, Situation } from '#next-actions/next-action-rule.ts'

const pageFor = ({ publicUrl, payment }: Situation): string =>
  `${publicUrl}/at-bank/${encodeURIComponent(payment.id)}`

const pageWithSession = (situation: Situation): string => `${pageFor(situation)}?session=${situation.id}`

/** Away to a page of the bank by a plain link. */
export const bank: NextActionRule = {
  status: 'awaiting redirect result',
  lateCode: '20602',
  show: (situation) => ({
    redirect_data: { method: 'GET', body: [], encrypted: [], url: pageWithSession(situation) },
  }),
}

/** Some banks are reached by a form instead. */
export const bankByPost: NextActionRule = {
  ...bank,
  show: (situation) => ({
    redirect_data: {
      method: 'POST',
      body: { session: situation.id, lang: 'en' },
      encrypted: [],
      url: pageFor(situation),
    },
  }),
}

/** 3-D Secure that the provider runs itself: the same redirect, but the status is that of 3-D Secure. */
export const providerChallenge: NextActionRule = { ...bank, status: 'awaiting 3ds result', lateCode: '108' }

/** The customer approves in their bank's app; there is nothing for a shop to show. */
export const bankApp: NextActionRule = {
  status: 'awaiting customer action',
  lateCode: '20602',
  show: () => ({}),
}

export const qr: NextActionRule = {
  status: 'awaiting customer action',
  lateCode: '10602',
  show: (situation) => ({
    display_data: [{ type: 'qr_data', title: 'QR code', data: pageWithSession(situation) }],
  }),
}
