import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aPartnership } from '#testing/fixtures.ts'
import { openAccount, openProfile, PROFILE } from '#testing/open-profile.tsx'
import { address, button, closeShop, fill } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  localStorage.clear()
})
afterEach(() => {
  closeShop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('Download my data', () => {
  test('saves the file', async () => {
    const blobs: Blob[] = []
    const names: string[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob)
      return 'blob:a'
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    await openProfile(server)
    const { connections: _, ...account } = PROFILE
    const at = '2026-11-21T14:05:00.000Z'
    const data = {
      exportedAt: at,
      account: {
        ...account,
        cameByReferral: false,
        goingTo: null,
        connectionsMade: 0,
        createdAt: at,
        confirmedAt: at,
        mailReturned: null,
        termsAcceptedAt: at,
      },
      partnership: {
        ...aPartnership(),
        promocodeLimit: null,
        promocodeClosedAt: null,
        statement: [],
        earnings: [],
        billing: { company: '', companyAddress: '', vatNumber: '' },
        documents: [],
        withdrawals: [],
      },
      sessions: [],
      secondStep: {
        onSince: null,
        endsAt: null,
        app: { confirmedAt: null, lastCodeAt: null, pendingUntil: null },
        passkeys: [],
        recoveryCodes: [],
        resetAskedAt: null,
        underWay: [],
      },
      securityEvents: [],
      mailedLinks: [],
      emailChanges: [],
      orders: [],
      unknownPayments: [],
      disputes: [],
      disputeHints: [],
      payments: [],
      invoices: [],
      creditNotes: [],
      connections: [],
      conversations: [],
      cancellationStatements: [],
      jobs: [],
      notes: [],
      farewells: [],
      operatorActions: [],
    }
    server.answers('exportAccount', 200, data)
    fireEvent.click(button('Download my data'))
    await waitFor(() => expect(names).toEqual(['hedgerow-data.json']))
    expect(JSON.parse((await blobs[0]?.text()) ?? '')).toEqual(data)
  })

  test('says why when it fails', async () => {
    await openProfile(server)
    server.refuses('exportAccount', 429, 'Too many attempts.')
    fireEvent.click(button('Download my data'))
    expect((await screen.findByRole('alert')).textContent).toContain('Too many attempts.')
  })
})

describe('Delete my account', () => {
  const openDialog = async () => {
    await openProfile(server)
    await askToDelete()
  }
  const askToDelete = async () => {
    fireEvent.click(button('Delete my account'))
    await screen.findByText(/in your partner account, at once and for good/)
  }
  const confirm = async (email = 'ada@example.org') => {
    fill('Type your email', email)
    fill('Password', 'the old one')
    await waitFor(() => expect(button('Delete for good').disabled).toBe(false))
    fireEvent.click(button('Delete for good'))
  }

  test('says what is lost and what stays, and is disabled until both are typed', async () => {
    await openDialog()
    screen.getByText(/your promocode and what is in your partner account, at once/)
    screen.getByText(/We keep invoices and credit notes, with your name and address and the name on the card/)
    expect(button('Delete for good').disabled).toBe(true)
  })

  test('goes home, logged out, and says that it is done', async () => {
    await openDialog()
    server.answers('eraseAccount', 200, {})
    await confirm()
    await screen.findByText('Your account has been deleted')
    await waitFor(() => expect(address()).toBe('/'))
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(server.callsOf('eraseAccount')[0]?.body).toEqual({
      email: 'ada@example.org',
      password: 'the old one',
    })
    expect(server.callsOf('logout')).toEqual([])
  })

  test('shows at the field which of the two is wrong', async () => {
    await openDialog()
    server.refuses('eraseAccount', 422, 'x', {
      errors: [{ path: 'email', message: 'This is not the email of your account' }],
    })
    await confirm('eve@example.org')
    await screen.findByText('This is not the email of your account')
    expect(address()).toBe('/profile?tab=profile')
  })

  test('warns of the money on the partner account, where there is any', async () => {
    server.answers('getPartnership', 200, aPartnership())
    await openDialog()
    const notice = await screen.findByText(/You give up/)
    expect(notice.textContent).toContain(
      'You give up €12.50 that is available and £4.51 that is pending. If it reaches the minimum, you can withdraw',
    )
  })

  test('does not warn where there is none', async () => {
    const none = { available: 0, pending: 0, requested: 0, paid: 300 }
    server.answers('getPartnership', 200, aPartnership({ balances: [{ currency: 'GBP', ...none }] }))
    // What the account holds is known by then: its own tab has shown it.
    await openAccount(server, '/profile?tab=partnership')
    await screen.findByText('Level of participation')
    fireEvent.click(screen.getByRole('tab', { name: 'Profile' }))
    await screen.findByRole('heading', { name: 'Personal data' })
    await askToDelete()
    expect(screen.queryByText(/You give up/)).toBeNull()
  })

  test('says that a withdrawal has to end first', async () => {
    await openDialog()
    server.refuses('eraseAccount', 409, 'You have requested a withdrawal from your partner account.')
    await confirm()
    expect((await screen.findByRole('alert')).textContent).toContain('You have requested a withdrawal')
  })

  test('says that a payment has to end first', async () => {
    await openDialog()
    server.refuses('eraseAccount', 409, 'One of your payments is still under way.')
    await confirm()
    expect((await screen.findByRole('alert')).textContent).toContain(
      'One of your payments is still under way.',
    )
  })
})
