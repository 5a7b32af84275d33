import type { Profile } from '@hedgerow/contract/accounts'
import type { Connection } from '@hedgerow/contract/connections'
import type { Conversation } from '@hedgerow/contract/conversations'
import type { Order } from '@hedgerow/contract/orders'
import type { Partnership, StatementEntry, Withdrawal } from '@hedgerow/contract/partnership'
import type { Layer, ShopItem } from '@hedgerow/contract/plans'
import { daysAfter } from '@hedgerow/domain/dates'
import { toWireFilters } from '@hedgerow/domain/filters'
import { NO_FEATURES, toWireFeatures } from '@hedgerow/domain/pricing'

const NONE = toWireFeatures(NO_FEATURES)

export const aConnection = (more: Partial<Connection> = {}): Connection => ({
  _id: '00000000-0000-4000-8000-000000000001',
  name: 'hedgerow-1',
  expirationDate: daysAfter(new Date(), 30).toISOString(),
  clientPrivateKey: 'cHJpdmF0ZXByaXZhdGVwcml2YXRlcHJpdmF0ZXByaXY=',
  presharedKey: 'cHJlc2hhcmVkcHJlc2hhcmVkcHJlc2hhcmVkcHJlc2g=',
  address: '10.86.0.2/32, fd86::2/128',
  dns: '10.86.0.1',
  serverPublicKey: 'c2VydmVyc2VydmVyc2VydmVyc2VydmVyc2VydmVyc2U=',
  allowedIPs: '0.0.0.0/0, ::/0, 10.86.0.1/32',
  endpoint: 'vpn.example:51820',
  fileName: 'hedgerow-1.conf',
  status: 'never-connected',
  features: { ...NONE, feature2: true },
  filters: { ...toWireFilters(0), feature2: true },
  location: { _id: '00000000-0000-4000-8000-0000000000aa', name: 'London' },
  isRenewable: true,
  sharedAt: null,
  sharedUntil: null,
  ...more,
})

export const aProfile = (more: Partial<Profile> = {}): Profile => ({
  _id: 'customer-1',
  name: 'Ada',
  firstName: '',
  lastName: '',
  phone: '',
  addressCountry: '',
  addressZip: '',
  addressCity: '',
  addressString: '',
  email: 'ada@example.org',
  promocode: 'ADA',
  connections: [],
  version: 1,
  ...more,
})

export const anOrder = (more: Partial<Order> = {}): Order => ({
  orderId: '00000000-0000-4000-8000-00000000000a',
  price: 45.24,
  discount: 0,
  total: 45.24,
  currency: { code: 'GBP', symbol: '£' },
  days: 45,
  connections: 5,
  renew: [],
  features: { ...NONE, feature2: true, feature4: true },
  status: 'New',
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
  expiresAt: daysAfter(new Date(), 1).toISOString(),
  ...more,
})

export const LAYER: Layer = {
  _id: '00000000-0000-4000-8000-0000000000c0',
  name: 'For one',
  description: 'Your phone and your computer.',
}

export const anItem = (more: Partial<ShopItem> = {}): ShopItem => ({
  _id: '00000000-0000-4000-8000-0000000000c1',
  name: 'Wren',
  period: '31 days',
  numOfConnections: 3,
  price: 2400,
  layer: { _id: LAYER._id },
  layerOrder: 1,
  ...more,
})

export const aPartnership = (more: Partial<Partnership> = {}): Partnership => ({
  level: 2,
  usedPromocodes: 3,
  crossings: 17,
  percentage: 15,
  balances: [
    { currency: 'EUR', available: 12.5, pending: 0, requested: 0, paid: 0 },
    { currency: 'GBP', available: 0, pending: 4.51, requested: 0, paid: 0 },
  ],
  minimumWithdrawal: 250,
  minimumSpend: 1,
  holdDays: 14,
  promocode: 'HEDGE23456',
  referralLink: 'https://shop.example/?ref=HEDGE23456',
  transactions: 4,
  pendingTransactions: 0,
  nextLevel: { level: 3, transactions: 5, percentage: 20 },
  ...more,
})

export const aConversation = (more: Partial<Conversation> = {}): Conversation => ({
  _id: '00000000-0000-4000-8000-0000000000d1',
  kind: 'support',
  name: 'Ada',
  state: 'answered',
  createdAt: '2026-11-20T14:05:00.000Z',
  lastMessageAt: '2026-11-21T09:30:00.000Z',
  hasEarlier: false,
  messages: [
    {
      _id: '00000000-0000-4000-8000-0000000000d1',
      author: 'customer',
      text: 'The tunnel drops every night\nat about eleven.',
      createdAt: '2026-11-20T14:05:00.000Z',
    },
    {
      _id: '00000000-0000-4000-8000-0000000000d2',
      author: 'operator',
      text: 'Which device is it?',
      createdAt: '2026-11-21T09:30:00.000Z',
    },
  ],
  ...more,
})

export const anEntry = (more: Partial<StatementEntry> = {}): StatementEntry => ({
  _id: '1',
  at: '2026-11-21T14:05:00.000Z',
  kind: 'earned',
  from: 'shop',
  to: 'pending',
  currency: 'GBP',
  amount: 4.51,
  ...more,
})

export const aWithdrawal = (more: Partial<Withdrawal> = {}): Withdrawal => ({
  _id: '00000000-0000-4000-8000-0000000000d1',
  currency: 'GBP',
  amount: 312.4,
  method: 'sort_code',
  endsWith: '6819',
  status: 'requested',
  reason: null,
  createdAt: '2026-11-21T14:05:00.000Z',
  endedAt: null,
  ...more,
})
