import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { columnsOf } from './columns.ts'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const SecondPersonView = z.object({
  id: z.string(),
  askedAt: Time,
  asker: z.string(),
  /** The command that does the same. */
  what: z.string(),
  /** Exactly what is done once it is confirmed. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  expiresAt: Time,
  isMine: z.boolean(),
  /** Whether the one who looks may confirm it now. */
  mayConfirm: z.boolean(),
  /** From when the asker may confirm it, where nobody else could; null where somebody could. */
  aloneFrom: z.nullable(Time),
})
export type SecondPersonView = z.infer<typeof SecondPersonView>

export const listSecondPersons = operatorEndpoint({
  ...consoleRoutes.listSecondPersons,
  access: 'operator',
  permission: 'second-person.see',
  consequence: 'looks',
  record: 'reads',
  command: 'operator waiting',
  columns: columnsOf<SecondPersonView>([
    { name: 'askedAt', title: 'Requested', kind: 'time' },
    { name: 'asker', title: 'By', kind: 'text' },
    { name: 'what', title: 'What', kind: 'word' },
    { name: 'facts', title: 'Details', kind: 'pairs' },
    { name: 'expiresAt', title: 'Until', kind: 'time' },
    { name: 'aloneFrom', title: 'Alone from', kind: 'time' },
    { name: 'id', title: 'ID', kind: 'id', isExtra: true },
  ]),
  summary: 'Acts that wait for a second person, the newest first',
  schema: { response: { 200: z.array(SecondPersonView) } },
})

const ofSecondPerson = z.object({ secondPersonId: Uuid })

export const confirmSecondPerson = operatorEndpoint({
  ...consoleRoutes.confirmSecondPerson,
  access: 'operator',
  permission: 'second-person.confirm',
  consequence: 'access',
  record: { changes: 'operator confirm', subject: 'secondPersonId' },
  summary: 'Confirm what another operator asked for: it is done at once, and only as it is shown',
  asks: 'Confirm it? It is done at once, in the name of the one who asked and in yours.',
  schema: {
    params: ofSecondPerson,
    response: {
      200: z.object({
        isNew: z.boolean(),
        /** Of an invitation; shown this once. */
        link: z.nullable(z.string()),
      }),
    },
  },
  problems: [404, 409],
})

export const withdrawSecondPerson = operatorEndpoint({
  ...consoleRoutes.withdrawSecondPerson,
  access: 'operator',
  permission: 'second-person.confirm',
  consequence: 'settles',
  record: { changes: 'operator withdraw', subject: 'secondPersonId' },
  summary: 'Withdraw what was asked for, or refuse it: it is not done',
  asks: 'Withdraw it? It is not done, and can be asked for again.',
  done: 'Withdrawn',
  schema: { params: ofSecondPerson, response: { 200: z.object({}) } },
  problems: [404],
})
