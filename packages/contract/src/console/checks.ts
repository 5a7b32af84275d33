import * as z from 'zod/mini'
import { columnsOf } from './columns.ts'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const ShopCheck = z.object({
  name: z.string(),
  /** Whose disk it is, where that is what was looked at; '' otherwise. */
  machine: z.string(),
  state: z.enum(['ok', 'warning', 'problem']),
  says: z.string(),
  /** What to do about it; null where nothing is to be done. */
  act: z.nullable(z.string()),
  /** Since when it has this state. */
  since: Time,
  lookedAt: Time,
})
export type ShopCheck = z.infer<typeof ShopCheck>

export const listShopChecks = operatorEndpoint({
  ...consoleRoutes.listShopChecks,
  access: 'operator',
  permission: 'shop.see',
  consequence: 'looks',
  record: 'reads',
  command: 'check list',
  summary: 'What the running shop found when it last looked at what it needs, problems first',
  columns: columnsOf<ShopCheck>([
    { name: 'name', title: 'Check', kind: 'word' },
    { name: 'machine', title: 'Machine', kind: 'word' },
    { name: 'state', title: 'Status', kind: 'word' },
    { name: 'says', title: 'What was seen', kind: 'text' },
    { name: 'act', title: 'What to do', kind: 'text' },
    { name: 'since', title: 'Since', kind: 'time' },
    { name: 'lookedAt', title: 'Checked', kind: 'time', isExtra: true },
  ]),
  schema: { response: { 200: z.array(ShopCheck) } },
})
