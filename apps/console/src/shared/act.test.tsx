import { ApiError } from '@hedgerow/contract/client'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { expect, test, vi } from 'vitest'
import { Act, Mistyped } from '#shared/act.tsx'
import { useData } from '#shared/use-data.ts'
import { stubServer } from '#testing/server.ts'
import { show } from '#testing/show.tsx'

const FIELDS = [
  { name: 'title', label: 'Title' },
  { name: 'sum', label: 'Amount', kind: 'sum', isOptional: true },
] as const

const open = (act: Partial<ComponentProps<typeof Act>> = {}, role?: Parameters<typeof show>[1]) => {
  const run = vi.fn(async (): Promise<unknown> => undefined)
  show(
    <Act label="Report" title="Report an incident" verb="Publish" fields={FIELDS} run={run} {...act} />,
    role,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Report' }))
  return { run, dialog: within(screen.getByRole('dialog', { name: 'Report an incident' })) }
}
type Dialog = ReturnType<typeof open>['dialog']

const fill = (dialog: Dialog, label: string | RegExp, value: string) =>
  fireEvent.change(dialog.getByLabelText(label), { target: { value } })
const press = (dialog: Dialog, name = 'Publish') => fireEvent.click(dialog.getByRole('button', { name }))
const expectSaid = (dialog: Dialog, label: string | RegExp, message: string) =>
  waitFor(() => {
    const field = dialog.getByLabelText(label)
    const described = field.getAttribute('aria-describedby')?.split(' ') ?? []
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(described.map((id) => document.getElementById(id)?.textContent).join(' ')).toContain(message)
  })

test('asks first, and does nothing where it is left', () => {
  const { run, dialog } = open({ children: <p>Visitors read it.</p> })
  expect(dialog.getByText('Visitors read it.')).toBeTruthy()
  press(dialog, 'Cancel')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(run).not.toHaveBeenCalled()
})

test('sends what was typed, trimmed, says so, and closes', async () => {
  const { run, dialog } = open({ done: 'It is on the status page' })
  fill(dialog, 'Title', '  Slow at night ')
  press(dialog)
  await screen.findByText('It is on the status page')
  expect(run).toHaveBeenCalledWith({ title: 'Slow at night', sum: '' }, new Map())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('what it changes is read again before it says that it is done', async () => {
  const server = stubServer()
  const Shown = () => <p>{useData('listColleagues', {}).data?.length} colleagues</p>
  server.answers('listColleagues', [])
  show(
    <>
      <Shown />
      <Act
        label="Invite"
        title="Invite"
        run={async () => server.answers('listColleagues', [{ id: 'wren', name: 'Wren' }])}
        refreshes={['listColleagues']}
      />
    </>,
  )
  await screen.findByText('0 colleagues')
  fireEvent.click(screen.getByRole('button', { name: 'Invite' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('1 colleagues')
})

test('an empty field is pointed out, and nothing is sent; an optional one may be empty', async () => {
  const { run, dialog } = open()
  press(dialog)
  await expectSaid(dialog, 'Title', 'Please fill in: Title')
  expect(dialog.getByLabelText(/^Amount/).getAttribute('aria-invalid')).not.toBe('true')
  expect(run).not.toHaveBeenCalled()
})

test('what was mistyped is said at its field, and what was typed stays', async () => {
  const { dialog } = open({
    run: () => Promise.reject(new Mistyped('sum', 'Please enter an amount like 4.50.')),
  })
  fill(dialog, 'Title', 'Slow')
  fill(dialog, /^Amount/, 'a lot')
  press(dialog)
  await expectSaid(dialog, /^Amount/, 'Please enter an amount like 4.50.')
  expect(dialog.getByLabelText<HTMLInputElement>(/^Amount/).value).toBe('a lot')
})

const refusal = (more: object) =>
  new ApiError({ title: 'Problem', status: 422, detail: 'There is no node Atlantis.', ...more })

test('the server’s refusal stands at the field that it names', async () => {
  const errors = [{ path: 'title.0', message: 'There is no node Atlantis.' }]
  const { dialog } = open({ run: () => Promise.reject(refusal({ errors })) })
  fill(dialog, 'Title', 'Slow')
  press(dialog)
  await expectSaid(dialog, 'Title', 'There is no node Atlantis.')
  expect(dialog.queryByRole('alert')).toBeNull()
})

test.each([[{}], [{ errors: [{ path: 'nodes', message: 'No' }] }]])(
  'any other refusal stands above the fields: %o',
  async (more) => {
    const { dialog } = open({ run: () => Promise.reject(refusal(more)) })
    fill(dialog, 'Title', 'Slow')
    press(dialog)
    expect((await dialog.findByRole('alert')).textContent).toContain('There is no node Atlantis.')
    expect(dialog.getByLabelText<HTMLInputElement>('Title').value).toBe('Slow')
  },
)

test('what nothing brings back takes its word as it stands', async () => {
  const { run, dialog } = open({ fields: [], word: 'York', tone: 'danger' })
  press(dialog)
  await expectSaid(dialog, 'Type York to confirm', 'Please type York exactly.')
  fill(dialog, 'Type York to confirm', 'york')
  press(dialog)
  expect(run).not.toHaveBeenCalled()
  fill(dialog, 'Type York to confirm', 'York')
  press(dialog)
  await waitFor(() => expect(run).toHaveBeenCalledOnce())
})

test('pressed twice it is done once', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const run = vi.fn(() => promise)
  const { dialog } = open({ run, fields: [], done: 'Done' })
  press(dialog)
  press(dialog)
  resolve(undefined)
  await screen.findByText('Done')
  expect(run).toHaveBeenCalledOnce()
})

test('days are typed day first, whatever the browser’s language, and one that is none is told at its field', async () => {
  const { run, dialog } = open({
    fields: [
      { name: 'day', label: 'A day', kind: 'day', first: '2026-11-20' },
      { name: 'from', label: 'From', kind: 'moment' },
    ],
  })
  expect(dialog.getByLabelText<HTMLInputElement>('A day').value).toBe('20/11/2026')
  fill(dialog, 'A day', '11/21/2026')
  fill(dialog, 'From', '21/11/2026 14:05')
  press(dialog)
  await expectSaid(dialog, 'A day', 'Please write it as 21/11/2026.')
  fill(dialog, 'A day', '21/11/2026')
  press(dialog)
  await waitFor(() =>
    expect(run).toHaveBeenCalledWith({ day: '2026-11-21', from: '2026-11-21T14:05' }, new Map()),
  )
})

test('what comes of it is shown while it is filled in', () => {
  const { dialog } = open({
    fields: [{ name: 'day', label: 'A day', first: '1.00' }],
    shows: ({ day }) => <p>30 days: {30 * Number(day)}</p>,
  })
  expect(dialog.getByText('30 days: 30')).toBeTruthy()
  const field = dialog.getByLabelText('A day')
  fill(dialog, 'A day', '1.20')
  fireEvent.input(field)
  expect(dialog.getByText('30 days: 36')).toBeTruthy()
})

test('a choice begins with what is so, or asks to choose; a tick is sent as one', async () => {
  const { run, dialog } = open({
    fields: [
      { name: 'role', label: 'Role', kind: 'choice', options: [['support', 'Support']] },
      { name: 'state', label: 'Status', kind: 'choice', options: [['open', 'Open']], first: 'open' },
      { name: 'meant', label: 'It is meant', kind: 'check' },
    ],
  })
  const options = (label: string) =>
    within(dialog.getByLabelText(label))
      .getAllByRole('option')
      .map(({ textContent }) => textContent)
  expect(options('Role')).toEqual(['Choose …', 'Support'])
  expect(options('Status')).toEqual(['Open'])
  press(dialog)
  await expectSaid(dialog, 'Role', 'Please fill in: Role')
  fill(dialog, 'Role', 'support')
  fireEvent.click(dialog.getByLabelText('It is meant'))
  press(dialog)
  await waitFor(() =>
    expect(run).toHaveBeenCalledWith({ role: 'support', state: 'open', meant: 'on' }, new Map()),
  )
})

test('is not offered to those who may not', () => {
  show(<Act label="Erase" title="Erase" may="customers.erase" run={async () => undefined} />, 'support')
  expect(screen.queryByRole('button', { name: 'Erase' })).toBeNull()
})

test('a file that was chosen is handed over', async () => {
  const { run, dialog } = open({ fields: [{ name: 'file', label: 'The bank’s file', kind: 'file' }] })
  const field = dialog.getByLabelText<HTMLInputElement>('The bank’s file')
  const file = new File(['reference,amount'], 'answer.csv', { type: 'text/csv' })
  const chosen = new DataTransfer()
  chosen.items.add(file)
  field.files = chosen.files
  press(dialog)
  await waitFor(() => expect(run).toHaveBeenCalledWith({ file: 'answer.csv' }, new Map([['file', file]])))
})
