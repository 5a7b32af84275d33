import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
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
  expect(document.activeElement?.textContent).toBe('Undo')
  press('Undo')
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

describe('a slash at the beginning of a line', () => {
  beforeEach(() =>
    server.answers('listCannedReplies', [
      { id: 'r1', title: 'Looking', text: 'We look into it, {name}.' },
      { id: 'r2', title: 'Restart', text: 'Please restart the app.' },
    ]),
  )
  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
  const key = (name: string) => fireEvent.keyDown(field(), { key: name })

  test('lists the saved replies, and what is typed on narrows them', async () => {
    await open()
    type('/')
    expect(options()).toEqual(['LookingWe look into it, {name}.', 'RestartPlease restart the app.'])
    type('/rest')
    expect(options()).toEqual(['RestartPlease restart the app.'])
    type('/nothing of it')
    expect(options()).toEqual([])
  })

  test('puts in the one that the arrows chose, in its line', async () => {
    await open()
    type('Hello\n/')
    key('ArrowDown')
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('Restart')
    expect(field().getAttribute('aria-activedescendant')).toBe(
      screen.getByRole('option', { selected: true }).id,
    )
    key('Enter')
    expect(field().value).toBe('Hello\nPlease restart the app.')
    expect(options()).toEqual([])
    key('Enter')
    expect(field().value).toBe('Hello\nPlease restart the app.')
  })

  test('is a slash like any other after Escape, and within a line', async () => {
    await open()
    type('/')
    key('Escape')
    expect(options()).toEqual([])
    type('and/or')
    expect(options()).toEqual([])
  })

  test('is there by a button, too, below what was typed', async () => {
    await open()
    type('Hello')
    fireEvent.click(screen.getByRole('button', { name: /^Saved replies/ }))
    expect(field().value).toBe('Hello\n/')
    fireEvent.click(screen.getByRole('option', { name: /Looking/ }))
    expect(field().value).toBe('Hello\nWe look into it, {name}.')
  })
})
