/** Where each call lives (spec §7). Kept apart from the schemas, so that a page that calls one need not load them. */
export const routes = {
  signup: { method: 'POST', url: '/api/v1/user/create' },
  confirmAccount: { method: 'GET', url: '/api/v1/user/confirm/:token' },
  resendConfirmation: { method: 'POST', url: '/api/v1/user/confirm/resend' },
  login: { method: 'POST', url: '/api/v1/user/login' },
  logout: { method: 'POST', url: '/api/v1/user/logout' },
  forgotPassword: { method: 'POST', url: '/api/v1/user/password/forgot' },
  resetPassword: { method: 'POST', url: '/api/v1/user/password/reset' },
  getProfile: { method: 'GET', url: '/api/v1/user/profile' },
  mailConnection: { method: 'POST', url: '/api/v1/user/mail/connection/:connectionId' },
  createOrder: { method: 'POST', url: '/api/v1/orders' },
  listOrders: { method: 'GET', url: '/api/v1/orders' },
  getOrder: { method: 'GET', url: '/api/v1/orders/:id' },
  payByCard: { method: 'POST', url: '/api/v1/orders/:id' },
  paymentStatus: { method: 'GET', url: '/api/v1/payment/status/:paymentId' },
  paymentChallenge: { method: 'POST', url: '/api/v1/payment/challenge/:paymentId' },
  getPartnership: { method: 'GET', url: '/api/v1/partnership' },
  countCrossing: { method: 'POST', url: '/api/v1/partnership/crossings' },
  applyForWhiteLabel: { method: 'POST', url: '/api/v1/applications' },
  askSupport: { method: 'POST', url: '/api/v1/support' },
  gateCallback: { method: 'POST', url: '/api/v1/payment/callback' },
} as const

export type RouteName = keyof typeof routes
