import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keepAndCountReferral } from '#features/referral/keep-and-count-referral.ts'
import { keepReferral, keptReferral } from '#features/referral/referral.ts'
import { address, button, closeShop, fill, openShop, tick } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  keepReferral(undefined)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const cameBy = (type: string) =>
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as unknown as PerformanceEntry])

const cameFrom = (referrer: string) => vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer)

const signUp = async () => {
  server.answers('signup', 201, { email: 'ada@example.org', signupSecret: 'of-this-browser' })
  fill('Name', 'Ada')
  fill('Email', 'ada@example.org')
  fill('Password', 'correct horse')
  tick(/I accept/)
  await waitFor(() => expect(button('Continue').disabled).toBe(false))
  fireEvent.click(button('Continue'))
  await waitFor(() => expect(server.callsOf('signup')).toHaveLength(1))
  return server.callsOf('signup')[0]?.body
}

describe('who comes by a partner’s link', () => {
  test('is counted once, and the code is kept', () => {
    cameBy('navigate')
    keepAndCountReferral('?ref=HEDGE23456')
    expect(server.callsOf('countReferralVisit').map(({ body }) => body)).toEqual([{ code: 'HEDGE23456' }])
    expect(keptReferral()).toBe('HEDGE23456')
  })

  test.each(['reload', 'back_forward'])('is not counted again by a %s', (type) => {
    cameBy(type)
    keepAndCountReferral('?ref=HEDGE23456')
    expect(server.callsOf('countReferralVisit')).toEqual([])
    expect(keptReferral()).toBe('HEDGE23456')
  })

  test.each(['?ref=', '?ref=a%20b', '?ref=%3Cscript%3E', `?ref=${'A'.repeat(33)}`, '?other=1'])(
    'with %s is anybody',
    (search) => {
      cameBy('navigate')
      keepAndCountReferral(search)
      expect(server.calls).toEqual([])
      expect(keptReferral()).toBeUndefined()
    },
  )

  test('brings the code to the signup form through the address, also by way of the log-in', async () => {
    keepReferral('HEDGE23456')
    await openShop('/login?redirectUrl=/support')
    await waitFor(() => expect(address()).toBe('/login?redirectUrl=%2Fsupport&ref=HEDGE23456'))
    fireEvent.click(screen.getByRole('tab', { name: 'Sign Up' }))
    expect(address()).toBe('/signup?redirectUrl=%2Fsupport&ref=HEDGE23456')
    expect(await signUp()).toMatchObject({ email: 'ada@example.org', referral: 'HEDGE23456' })
  })

  test('brings it also when the link was followed before the code was kept', async () => {
    await openShop('/signup')
    act(() => keepReferral('HEDGE23456'))
    await waitFor(() => expect(address()).toBe('/signup?ref=HEDGE23456'))
    expect(await signUp()).toMatchObject({ referral: 'HEDGE23456' })
  })

  test.each(['/login', '/signup'])('brings it to %s also when no script was there yet', async (path) => {
    cameFrom(`${window.location.origin}/products?ref=HEDGE23456`)
    await openShop(path)
    await waitFor(() => expect(address()).toBe(`${path}?ref=HEDGE23456`))
    expect(server.callsOf('countReferralVisit')).toEqual([])
  })

  test('takes no code from another site, nor another than that of the last link', async () => {
    cameFrom(`${window.location.origin}.evil.example/?ref=EVIL`)
    await openShop('/signup')
    expect(await signUp()).not.toHaveProperty('referral')
    cameFrom(`${window.location.origin}/?ref=OLDER`)
    keepReferral('HEDGE23456')
    expect(keptReferral()).toBe('HEDGE23456')
  })

  test('brings it also when the form itself was linked to', async () => {
    await openShop('/signup?ref=hedge23456')
    expect(await signUp()).toMatchObject({ referral: 'hedge23456' })
  })

  test('signs up as anyone does when there is no code', async () => {
    await openShop('/signup')
    expect(await signUp()).not.toHaveProperty('referral')
    expect(keptReferral()).toBeUndefined()
  })
})
