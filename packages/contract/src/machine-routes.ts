import { routes } from './routes.ts'

/** Where gateways, VPN servers and customers' routers call. No page does, so that none has to load these. */
export const machineRoutes = {
  gateCallback: { method: 'POST', url: '/api/v1/payment/callback' },
  stripeEvent: { method: 'POST', url: '/api/v1/payment/stripe' },
  btcpayEvent: { method: 'POST', url: '/api/v1/payment/btcpay' },
  chargebackNotice: { method: 'POST', url: '/api/v1/payment/chargebacks' },
  enrolAgent: { method: 'POST', url: '/api/v1/agent/enrolments' },
  agentChanges: { method: 'GET', url: '/api/v1/agent/changes' },
  agentArchive: { method: 'GET', url: '/api/v1/agent/archive' },
  agentUpgradeReport: { method: 'POST', url: '/api/v1/agent/upgrade-reports' },
  agentReport: { method: 'POST', url: '/api/v1/agent/reports' },
  readConnectionFile: { method: 'GET', url: '/c/:file' },
} as const

export const allRoutes = { ...routes, ...machineRoutes }
