import type { Security } from '@hedgerow/contract/second-step'
import { ToastProvider } from '@hedgerow/ui/toast.tsx'
import { createQueryClient } from '@hedgerow/web/query-client.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SecondStepCard } from '#features/security/second-step-card.tsx'
import { button, fill } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const OFF: Security = {
  secondStepAt: null,
  secondStepEndsAt: null,
  totpAt: null,
  passkeys: [],
  recoveryCodes: 0,
}
const ON: Security = {
  ...OFF,
  secondStepAt: '2026-11-01T10:00:00.000Z',
  totpAt: '2026-11-01T10:00:00.000Z',
  recoveryCodes: 7,
}
const PASSKEY = {
  _id: 'p',
  name: 'Phone',
  isSynced: true,
  createdAt: '2026-11-01T10:00:00.000Z',
  lastUsedAt: null,
}
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const URI = `otpauth://totp/Hedgerow:ada?secret=${SECRET}`
const CODES = Array.from({ length: 10 }, (_, i) => `F7KM-2QXR-9TW${i}`)

const open = async (security: Security) => {
  server.answers('getSecurity', 200, security)
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ToastProvider>
        <SecondStepCard />
      </ToastProvider>
    </QueryClientProvider>,
  )
  await waitFor(() => expect(server.callsOf('getSecurity')).not.toEqual([]))
  await waitFor(() => expect(screen.queryByText('Loading')).toBeNull())
}
const setUp = async () => {
  server.answers('beginTotp', 200, { secret: SECRET, uri: URI })
  await open(OFF)
  fireEvent.click(button('Set up an authenticator app'))
  await screen.findByRole('img', { name: 'QR code for the authenticator app' })
}
const confirm = async (code: string) => {
  fill('Code', code)
  await waitFor(() => expect(button('Confirm').disabled).toBe(false))
  fireEvent.click(button('Confirm'))
}
/** Presses what asks, and then what does it. */
const press = async (label: string, action: string) => {
  fireEvent.click(button(label))
  const buttons = await screen.findAllByRole('button', { name: action })
  fireEvent.click(buttons.at(-1) as HTMLElement)
}

describe('the second step, off', () => {
  test('shows the code, the key in groups, and a link for the app on this device', async () => {
    await setUp()
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open it with this account' }).getAttribute('href')).toBe(URI)
    expect(button('Copy the key')).toBeTruthy()
  })

  test('after the first code shows the recovery codes until they are kept', async () => {
    server.answers('confirmTotp', 200, { recoveryCodes: CODES })
    await setUp()
    server.answers('getSecurity', 200, { ...ON, recoveryCodes: 10 })
    await confirm('123456')
    for (const code of CODES) expect(await screen.findByText(code)).toBeTruthy()
    expect(button('Copy the recovery codes')).toBeTruthy()
    expect(button('Download')).toBeTruthy()
    fireEvent.click(button('I have saved them'))
    await screen.findByText(/10 of 10 left/)
    expect(document.activeElement?.textContent).toBe('Second step')
    expect(screen.queryByText(CODES[0] as string)).toBeNull()
    expect(screen.queryByText('You may not have saved the recovery codes')).toBeNull()
  })

  test('asks after a reload whether the codes were kept', async () => {
    server.answers('confirmTotp', 200, { recoveryCodes: CODES })
    await setUp()
    await confirm('123456')
    await screen.findByText(CODES[0] as string)
    cleanup()
    await open({ ...ON, recoveryCodes: 10 })
    expect(screen.getByText('You may not have saved the recovery codes')).toBeTruthy()
  })

  test('keeps a wrong code in its field, and the set-up as it is', async () => {
    const message = 'Your phone’s clock is about 3 minutes slow.'
    server.refuses('confirmTotp', 422, message, { errors: [{ path: 'code', message }] })
    await setUp()
    await confirm('123456')
    await screen.findByText(message)
    expect(screen.getByLabelText<HTMLInputElement>('Code').value).toBe('123456')
    expect(screen.getByText(/^JBSW/)).toBeTruthy()
  })

  test('a set-up that is over says so, and can be begun again', async () => {
    server.refuses('confirmTotp', 409, 'This set-up is over. Please begin again.')
    await setUp()
    await confirm('123456')
    await screen.findByText('This set-up is over. Please begin again.')
    fireEvent.click(button('Cancel'))
    expect(await screen.findByRole('button', { name: 'Set up an authenticator app' })).toBeTruthy()
  })

  test('can ask for a passkey that is there', async () => {
    server.answers('switchSecondStep', 200, { recoveryCodes: CODES })
    await open({ ...OFF, passkeys: [PASSKEY] })
    await press('Ask for a passkey', 'Turn it on')
    await screen.findByText(CODES[9] as string)
    expect(server.callsOf('switchSecondStep')[0]?.body).toEqual({ isOn: true })
  })
})

describe('the second step, on', () => {
  test('says since when, what answers, and how many codes are left', async () => {
    await open(ON)
    expect(screen.getByText(/On since 01\/11\/2026/)).toBeTruthy()
    expect(screen.getByText('Set up on 01/11/2026')).toBeTruthy()
    expect(screen.getByText(/7 of 10 left/)).toBeTruthy()
    expect(screen.queryByText('Few recovery codes are left')).toBeNull()
  })

  test('says that someone waits for it to end, and keeps it', async () => {
    await open({ ...ON, secondStepEndsAt: '2026-11-29T14:05:00.000Z' })
    expect(screen.getByText('Your second step ends on 29/11/2026 23:05')).toBeTruthy()
    server.answers('keepSecondStep', 200, {})
    server.answers('getSecurity', 200, ON)
    fireEvent.click(button('Keep the second step'))
    await waitFor(() => expect(screen.queryByText(/Your second step ends on/)).toBeNull())
    expect(server.callsOf('keepSecondStep')).toHaveLength(1)
  })

  test('says when few codes are left', async () => {
    await open({ ...ON, recoveryCodes: 3 })
    expect(screen.getByText('Few recovery codes are left')).toBeTruthy()
  })

  test.each([
    [[], /second step is turned off with it/],
    [[PASSKEY], /keep working/],
  ])('says what goes with the app, with the passkeys %j', async (passkeys, sentence) => {
    await open({ ...ON, passkeys })
    fireEvent.click(button('Remove'))
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(server.callsOf('removeTotp')).toEqual([])
  })

  test('makes new codes, and shows them', async () => {
    server.answers('newRecoveryCodes', 201, { recoveryCodes: CODES })
    await open(ON)
    await press('Make new codes', 'Make new codes')
    await screen.findByText(CODES[0] as string)
  })

  test('is turned off after a question', async () => {
    server.answers('switchSecondStep', 200, { recoveryCodes: null })
    await open(ON)
    server.answers('getSecurity', 200, OFF)
    await press('Turn off', 'Turn it off')
    await screen.findByText(/^It is off\./)
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Second step'))
    expect(server.callsOf('switchSecondStep')[0]?.body).toEqual({ isOn: false })
  })

  test('says why it was not changed', async () => {
    server.refuses('removeTotp', 429, 'Too many attempts.')
    await open(ON)
    await press('Remove', 'Remove the app')
    expect(await screen.findByText('Too many attempts.')).toBeTruthy()
  })
})
