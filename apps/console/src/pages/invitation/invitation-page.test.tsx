import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import InvitationPage from '#pages/invitation/invitation-page.tsx'
import { stubServer } from '#testing/server.ts'
import { show } from '#testing/show.tsx'

const APP = { ticket: 'a-ticket', secret: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', uri: 'otpauth://totp/Hedgerow' }

let server: ReturnType<typeof stubServer>
const onIn = vi.fn()
beforeEach(() => {
  onIn.mockClear()
  server = stubServer()
  server.answers('openInvitation', {
    name: 'Wren',
    role: 'finance',
    passkey: { ticket: 'a-ticket', options: { challenge: 'AAAA' } },
    app: APP,
  })
  server.answers('acceptInvitation', {})
})

const open = async () => {
  show(<InvitationPage onIn={onIn} />)
  fireEvent.click(await screen.findByRole('button', { name: 'Use a password and an app instead' }))
}
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const setUp = (password: string) => {
  fill('Password', password)
  fill('Code that the app shows', '123456')
  fireEvent.click(screen.getByRole('button', { name: 'Set up and log in' }))
}

test('a password and the code of an app let in; the secret can be typed, too', async () => {
  await open()
  expect(screen.getByText(/^You are/).textContent).toContain('You are Wren here, and your role is Finance.')
  expect(screen.getByText('ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567')).toBeTruthy()
  setUp('nine wrens in a holly bush')
  await waitFor(() => expect(onIn).toHaveBeenCalledOnce())
  expect(server.callsOf('acceptInvitation')[0]?.body).toMatchObject({
    app: { password: 'nine wrens in a holly bush', ticket: 'a-ticket', code: '123456' },
  })
})

test('what is wrong is said at its field, and what was typed stays', async () => {
  const message = 'Please choose at least 12 characters.'
  server.refuses('acceptInvitation', 422, message, { errors: [{ path: 'app.password', message }] })
  await open()
  setUp('too short')
  await screen.findByText(message)
  const field = screen.getByLabelText<HTMLInputElement>('Password')
  expect(field.value).toBe('too short')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(onIn).not.toHaveBeenCalled()
})

test('a link that was used opens nothing', async () => {
  server.refuses('openInvitation', 400, 'This link does not work any more.')
  show(<InvitationPage onIn={onIn} />)
  await screen.findByText('This link does not work any more.')
  expect(screen.queryByRole('button', { name: 'Create passkey' })).toBeNull()
})
