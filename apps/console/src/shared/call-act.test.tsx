import { bodyOf, choice, day, lines, optional, sum, text, tick } from '@hedgerow/contract/console/fields'
import { operatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CallAct } from '#shared/call-act.tsx'
import { stubServer } from '#testing/server.ts'
import { show } from '#testing/show.tsx'

const fields = {
  note: text('Note', z.string()),
  line: optional(text('Line below it', z.string())),
  sum: optional(sum('Amount', { hint: 'All of it where it is empty.' })),
  by: optional(day('Answer by')),
  outcome: optional(choice('Outcome', [['won', 'It was won']])),
  columns: lines('Columns'),
  isMeant: tick('It is meant'),
}

const endpoint = operatorEndpoint({
  method: 'POST',
  url: '/api/v1/payments/:paymentId/disputes',
  access: 'operator',
  permission: 'disputes.change',
  consequence: 'money',
  record: { changes: 'dispute open' },
  summary: 'Record a dispute',
  schema: { body: bodyOf(fields), response: { 200: z.object({}) } },
  fields,
})

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  server.answers('openDispute', {} as never)
})

const open = (role?: Parameters<typeof show>[1], more: Partial<Parameters<typeof CallAct>[0]> = {}) => {
  show(
    <CallAct
      call="openDispute"
      endpoint={endpoint}
      label="Record"
      params={{ paymentId: 'p1' }}
      refreshes={[]}
      {...more}
    />,
    role,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Record' }))
}
const fill = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const goAhead = () =>
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Record' }))
const sent = () =>
  waitFor(() => server.callsOf('openDispute')[0] ?? Promise.reject(new Error('Not sent yet')))

test('a form of the contract’s fields is sent as the contract has them', async () => {
  open()
  fill('Note', 'A stolen card')
  fill(/^Amount/, '10.50')
  fill(/^Answer by/, '2026-12-03')
  fill(/^Outcome/, 'won')
  fill(/^Columns/, ' amount=Betrag \n\nday=Tag')
  fireEvent.click(screen.getByLabelText('It is meant'))
  goAhead()
  expect(await sent()).toMatchObject({
    path: '/api/v1/payments/p1/disputes',
    body: {
      note: 'A stolen card',
      sum: 1050,
      by: '2026-12-03',
      outcome: 'won',
      columns: ['amount=Betrag', 'day=Tag'],
      isMeant: true,
    },
  })
  await screen.findByText('Recorded')
})

test('what may be left out is left out', async () => {
  open()
  fill('Note', 'A stolen card')
  goAhead()
  expect((await sent()).body).toEqual({ note: 'A stolen card', isMeant: false })
})

test('what is known where the button stands is sent without being asked for', async () => {
  open(undefined, { sends: { note: 'A stolen card' } })
  expect(screen.queryByLabelText('Note')).toBeNull()
  goAhead()
  expect((await sent()).body).toEqual({ note: 'A stolen card', isMeant: false })
})

test('text that stood there and was deleted is sent empty, anything else is left out', async () => {
  open(undefined, { first: { note: 'A stolen card', line: 'By post', sum: '4.00' } })
  fill(/^Line/, '')
  fill(/^Amount/, '')
  goAhead()
  expect((await sent()).body).toEqual({ note: 'A stolen card', line: '', isMeant: false })
})

test('what was recorded before is not said to be recorded now', async () => {
  server.answers('openDispute', { isNew: false } as never)
  open()
  fill('Note', 'A stolen card')
  goAhead()
  await screen.findByText('Already recorded: nothing was changed')
})

test('a sum that is none is said at its field, and nothing is sent', async () => {
  open()
  fill('Note', 'A stolen card')
  fill(/^Amount/, 'a lot')
  goAhead()
  await screen.findByText('Please enter an amount like 4.50.')
  expect(server.callsOf('openDispute')).toEqual([])
})

test('the contract says who may', () => {
  show(<CallAct call="openDispute" endpoint={endpoint} label="Record" refreshes={[]} />, 'viewer')
  expect(screen.queryByRole('button')).toBeNull()
})
