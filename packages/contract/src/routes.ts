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
  payByOpenBanking: { method: 'POST', url: '/api/v1/orders/ob/:id' },
  payByBlik: { method: 'POST', url: '/api/v1/orders/blik/:id' },
  paymentHistory: { method: 'GET', url: '/api/v1/payment/history' },
  paymentStatus: { method: 'GET', url: '/api/v1/payment/status/:paymentId' },
  paymentChallenge: { method: 'POST', url: '/api/v1/payment/challenge/:paymentId' },
  payPlanByCard: { method: 'POST', url: '/api/v1/payment/gate/sale' },
  gateCallback: { method: 'POST', url: '/api/v1/payment/callback' },
  listLayers: { method: 'GET', url: '/api/v1/shop/layers' },
  listItems: { method: 'GET', url: '/api/v1/shop/items' },
} as const

export type RouteName = keyof typeof routes
