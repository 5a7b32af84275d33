import type { Permission } from '@hedgerow/domain/operator-roles'
import {
  Banknote,
  Cable,
  CalendarCheck,
  ClipboardList,
  Coins,
  CreditCard,
  FileText,
  Handshake,
  HeartPulse,
  type Icon,
  Inbox,
  Landmark,
  ListTodo,
  Megaphone,
  ReceiptText,
  Scale,
  Server,
  ShieldQuestion,
  SlidersHorizontal,
  Sun,
  Tags,
  TicketPercent,
  Undo2,
  UserCheck,
  UserCog,
  Users,
  Webhook,
} from '@hedgerow/ui/icons.tsx'
import { type ComponentType, lazy } from 'react'

type Menu = { label: string; icon: Icon; group: string }
type Load = () => Promise<{ default: ComponentType }>

/** A page, who may open it, and what the menu calls it where it stands there. */
export type Place = { path: string; may?: Permission; Page: ComponentType; menu?: Menu }

const place = (path: string, may: Permission, load: Load, menu?: Menu): Place => ({
  path,
  may,
  Page: lazy(load),
  ...(menu ? { menu } : {}),
})

const inMenu = (group: string, label: string, icon: Icon): Menu => ({ group, label, icon })

/** Every page of those who are logged in. It feeds the menu and the guard, so that they cannot differ. */
export const PLACES: readonly Place[] = [
  place('/', 'shop.see', () => import('#pages/today/today-page.tsx'), inMenu('', 'Today', Sun)),
  place(
    '/inbox',
    'conversations.see',
    () => import('#pages/inbox/inbox-page.tsx'),
    inMenu('People', 'Inbox', Inbox),
  ),
  place('/inbox/:id', 'conversations.see', () => import('#pages/inbox/conversation-page.tsx')),
  place(
    '/customers',
    'customers.see',
    () => import('#pages/customers/customers-page.tsx'),
    inMenu('People', 'Customers', Users),
  ),
  place('/customers/:id', 'customers.see', () => import('#pages/customers/customer-page.tsx')),
  place(
    '/payments',
    'payments.see',
    () => import('#pages/payments/payments-page.tsx'),
    inMenu('Sales', 'Payments', CreditCard),
  ),
  place('/payments/unknown', 'payments.see', () => import('#pages/payments/unknown-payments-page.tsx')),
  place(
    '/payments/comparison',
    'payments.settle',
    () => import('#pages/reconciliation/gateway-comparison-page.tsx'),
  ),
  place('/payments/:id', 'payments.see', () => import('#pages/payments/payment-page.tsx')),
  place(
    '/orders',
    'payments.see',
    () => import('#pages/orders/orders-page.tsx'),
    inMenu('Sales', 'Orders', ReceiptText),
  ),
  place('/orders/:id', 'payments.see', () => import('#pages/orders/order-page.tsx')),
  place(
    '/disputes',
    'disputes.see',
    () => import('#pages/disputes/disputes-page.tsx'),
    inMenu('Sales', 'Disputes', ShieldQuestion),
  ),
  place(
    '/cancellations',
    'payments.see',
    () => import('#pages/cancellations/statements-page.tsx'),
    inMenu('Sales', 'Cancellations', Undo2),
  ),
  place(
    '/plans',
    'plans.see',
    () => import('#pages/plans/plans-page.tsx'),
    inMenu('Sales', 'Plans and prices', Tags),
  ),
  place(
    '/promocodes',
    'promocodes.see',
    () => import('#pages/promocodes/promocodes-page.tsx'),
    inMenu('Sales', 'Promocodes', TicketPercent),
  ),
  place('/promocodes/:code', 'promocodes.see', () => import('#pages/promocodes/promocode-page.tsx')),
  place(
    '/partners',
    'partners.see',
    () => import('#pages/partners/partners-page.tsx'),
    inMenu('Partners', 'Partners', Handshake),
  ),
  place('/partners/rings', 'partners.see', () => import('#pages/partners/rings-page.tsx')),
  place('/partners/:id', 'partners.see', () => import('#pages/partners/partner-page.tsx')),
  place(
    '/withdrawals',
    'withdrawals.see',
    () => import('#pages/withdrawals/withdrawals-page.tsx'),
    inMenu('Partners', 'Withdrawals', Banknote),
  ),
  place('/withdrawals/files', 'withdrawals.see', () => import('#pages/withdrawals/batches-page.tsx')),
  place('/withdrawals/files/:id', 'withdrawals.see', () => import('#pages/withdrawals/batch-page.tsx')),
  place('/withdrawals/:id', 'withdrawals.see', () => import('#pages/withdrawals/withdrawal-page.tsx')),
  place(
    '/finance/month',
    'books.see',
    () => import('#pages/finance/month-page.tsx'),
    inMenu('Finance', 'Month', CalendarCheck),
  ),
  place(
    '/finance/invoices',
    'books.see',
    () => import('#pages/finance/invoices-page.tsx'),
    inMenu('Finance', 'Invoices', FileText),
  ),
  place('/finance/invoices/:number', 'books.see', () => import('#pages/finance/invoice-page.tsx')),
  place('/finance/credit-notes', 'books.see', () => import('#pages/finance/credit-notes-page.tsx')),
  place('/finance/credit-notes/:number', 'books.see', () => import('#pages/finance/credit-note-page.tsx')),
  place(
    '/finance/returns',
    'books.see',
    () => import('#pages/finance/returns-page.tsx'),
    inMenu('Finance', 'Returns and files', Landmark),
  ),
  place(
    '/finance/settlement',
    'books.see',
    () => import('#pages/settlement/settlement-page.tsx'),
    inMenu('Finance', 'Settlement', Scale),
  ),
  place(
    '/finance/settlement/comparison',
    'books.change',
    () => import('#pages/settlement/comparison-page.tsx'),
  ),
  place(
    '/finance/rates',
    'books.see',
    () => import('#pages/finance/rates-page.tsx'),
    inMenu('Finance', 'Rates', Coins),
  ),
  place(
    '/nodes',
    'nodes.see',
    () => import('#pages/nodes/nodes-page.tsx'),
    inMenu('Network', 'Nodes', Server),
  ),
  place('/nodes/:name', 'nodes.see', () => import('#pages/nodes/node-page.tsx')),
  place(
    '/connections',
    'connections.see',
    () => import('#pages/connections/connections-page.tsx'),
    inMenu('Network', 'Connections', Cable),
  ),
  place('/connections/:id', 'connections.see', () => import('#pages/connections/connection-page.tsx')),
  place(
    '/incidents',
    'incidents.see',
    () => import('#pages/incidents/incidents-page.tsx'),
    inMenu('Network', 'Status page', Megaphone),
  ),
  place(
    '/settings',
    'settings.see',
    () => import('#pages/settings/settings-page.tsx'),
    inMenu('System', 'Settings', SlidersHorizontal),
  ),
  // The menu has no room for it, and a shop that sells no need: Today leads to it until then, Settings ever after.
  place('/set-up', 'settings.change', () => import('#pages/set-up/set-up-page.tsx')),
  place('/set-up/:step', 'settings.change', () => import('#pages/set-up/set-up-page.tsx')),
  place(
    '/checks',
    'shop.see',
    () => import('#pages/checks/checks-page.tsx'),
    inMenu('System', 'Checks', HeartPulse),
  ),
  place(
    '/webhooks',
    'webhooks.see',
    () => import('#pages/webhooks/webhooks-page.tsx'),
    inMenu('System', 'Webhooks', Webhook),
  ),
  place('/jobs', 'jobs.see', () => import('#pages/jobs/jobs-page.tsx'), inMenu('System', 'Jobs', ListTodo)),
  place(
    '/record',
    'record.see',
    () => import('#pages/record/record-page.tsx'),
    inMenu('System', 'Record', ClipboardList),
  ),
  place(
    '/second-person',
    'second-person.see',
    () => import('#pages/second-person/second-person-page.tsx'),
    inMenu('System', 'Second person', UserCheck),
  ),
  place(
    '/operators',
    'operators.see',
    () => import('#pages/operators/operators-page.tsx'),
    inMenu('System', 'Operators', UserCog),
  ),
  { path: '/account', Page: lazy(() => import('#pages/account/account-page.tsx')) },
]

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)

const PATTERNS = PLACES.map(({ path, may }) => ({ pattern: patternOf(path), may }))

/** The page that an address leads to, if any. */
export const placeAt = (address: string) => {
  const [path = ''] = address.split('?')
  return PATTERNS.find(({ pattern }) => pattern.test(path))
}
