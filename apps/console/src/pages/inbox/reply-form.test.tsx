import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ReplyForm } from '#pages/inbox/reply-form.tsx'
import { stubServer } from '#testing/server.ts'
import { show } from '#testing/show.tsx'

const ID = '00000000-0000-4000-8000-000000000001'
const AFTER = '00000000-0000-4000-8000-000000000002'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  vi.useFakeTimers()
  server = stubServer()
  server.answers('listCannedReplies', [])
  server.answers('replyInInbox', { isNew: true })
})

const form = (id = ID) => <ReplyForm conversationId={id} after={AFTER} canClose />
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const open = async (part = form()) => {
  const view = show(part)
  await pass(0)
  return view
}
const field = () => screen.getByLabelText<HTMLTextAreaElement>('Your answer')
const type = (text: string) => fireEvent.change(field(), { target: { value: text } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const sent = () => server.callsOf('replyInInbox').map(({ body }) => body)

test('goes out five seconds after it was sent, and leaves no draft', async () => {
  await open()
  type('  Which device is it? ')
  press('Send')
  await pass(4_999)
  expect(sent()).toEqual([])
  await pass(1)
  expect(sent()).toEqual([{ text: 'Which device is it?', closes: false, after: AFTER }])
  expect(screen.getByText('Sent')).toBeTruthy()
  expect(field().value).toBe('')
  expect(localStorage.length).toBe(0)
})

test('can be taken back until then, and stands there as it was', async () => {
  await open()
  type('Which device is it?')
  press('Send')
  expect(screen.getByText('Sending in a moment …')).toBeTruthy()
  expect(document.activeElement?.textContent).toBe('Take it back')
  press('Take it back')
  await pass(10_000)
  expect(sent()).toEqual([])
  expect(field().value).toBe('Which device is it?')
  expect(document.activeElement).toBe(field())
})

test('Ctrl and Enter send, too', async () => {
  await open()
  type('Which device is it?')
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(screen.queryByText('Sending in a moment …')).toBeNull()
  fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true })
  expect(screen.getByText('Sending in a moment …')).toBeTruthy()
})

test('closes the conversation with it', async () => {
  await open()
  type('It is mended.')
  press('Send and close')
  await pass(5_000)
  expect(sent()).toMatchObject([{ closes: true }])
  expect(screen.getByText('Sent, and closed')).toBeTruthy()
})

test('an empty answer is none', async () => {
  await open()
  type('  ')
  press('Send')
  expect(screen.getByRole('alert').textContent).toContain('Please write an answer.')
  await pass(5_000)
  expect(sent()).toEqual([])
})

test('is kept as a draft of its conversation over a reload', async () => {
  const { unmount } = await open()
  type('Which device is it?')
  unmount()
  await open()
  expect(field().value).toBe('Which device is it?')
  await open(form('00000000-0000-4000-8000-000000000003'))
  expect(screen.getAllByLabelText<HTMLTextAreaElement>('Your answer').at(-1)?.value).toBe('')
})

test('who goes on to the next one has sent it', async () => {
  const { unmount } = await open()
  type('Which device is it?')
  press('Send')
  unmount()
  await pass(0)
  expect(sent()).toHaveLength(1)
  expect(localStorage.length).toBe(0)
})

test('what was refused says why, and is still there', async () => {
  server.refuses('replyInInbox', 409, 'The customer has written meanwhile.')
  await open()
  type('Which device is it?')
  press('Send')
  await pass(5_000)
  expect(screen.getByRole('alert').textContent).toContain('The customer has written meanwhile.')
  expect(field().value).toBe('Which device is it?')
  expect(localStorage.length).toBe(1)
})

test('a saved reply is put in, below what was typed', async () => {
  server.answers('listCannedReplies', [{ id: 'r1', title: 'Looking', text: 'We look into it, {name}.' }])
  await open()
  const choose = () =>
    fireEvent.change(screen.getByLabelText('Insert a saved reply'), { target: { value: 'r1' } })
  choose()
  expect(field().value).toBe('We look into it, {name}.')
  type('Hello')
  choose()
  expect(field().value).toBe('Hello\n\nWe look into it, {name}.')
})
