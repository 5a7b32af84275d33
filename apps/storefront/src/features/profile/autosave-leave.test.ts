import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { flush, pass, setUp } from '#testing/autosave.ts'
import { aProfile } from '#testing/fixtures.ts'

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a page that is left', () => {
  test('sends what is pending at once', async () => {
    const { server, autosave } = setUp()
    autosave.change('phone', '1')
    void autosave.leave()
    expect(server.flights[0]?.body).toEqual({ phone: '1', version: 1 })
    await pass(5000)
    expect(server.flights).toHaveLength(1)
  })

  test('sends nothing when nothing is pending, or the same is on its way', async () => {
    const { server, autosave } = setUp()
    void autosave.leave()
    autosave.change('phone', '1')
    await pass(2000)
    void autosave.leave()
    expect(server.flights).toHaveLength(1)
  })

  test.each([
    ['in order', [0, 1]],
    ['the later one first', [1, 0]],
  ])(
    'does not wait for a save in flight; the last one typed stays, when they arrive %s',
    async (_, order) => {
      const { server, autosave } = setUp()
      autosave.change('phone', '1')
      await pass(2000)
      autosave.change('phone', '12')
      void autosave.leave()
      expect(server.flights[1]?.body).toEqual({ phone: '12' })
      for (const index of order) server.flights[index]?.land()
      await flush()
      for (const flight of server.flights.slice(2)) flight.land()
      await flush()
      expect(server.kept().phone).toBe('12')
      expect(autosave.getState().values.phone).toBe('12')
    },
  )

  test('keeps a draft that is restored on return, and saved', async () => {
    const { server, open, autosave } = setUp()
    autosave.change('phone', '1')
    autosave.change('name', 'A')
    const back = open()
    expect(back.getState().values).toMatchObject({ phone: '1', name: 'A' })
    expect(Object.keys(back.getState().errors)).toEqual(['name'])
    back.start()
    await pass(2000)
    expect(server.flights.at(-1)?.body).toEqual({ phone: '1', version: 1 })
  })

  test('leaves no draft once everything is saved', async () => {
    const { server, autosave } = setUp()
    autosave.change('phone', '1')
    expect(localStorage.length).toBe(1)
    await pass(2000)
    server.flights[0]?.land()
    await flush()
    expect(localStorage.length).toBe(0)
  })

  test('has an old draft give way to what was saved elsewhere since', async () => {
    const { server, open, autosave } = setUp()
    autosave.change('phone', '1')
    server.change({ phone: '99' })
    const back = open()
    back.start()
    await pass(5000)
    expect(back.getState().values.phone).toBe('99')
    expect(server.flights.filter(({ body }) => body.version === 2)).toEqual([])
  })

  test('shows a draft to its own account only', () => {
    const { open, autosave } = setUp()
    autosave.change('phone', '1')
    expect(open(aProfile({ _id: 'another' })).getState().values.phone).toBe('')
  })

  test('survives a draft that is no draft', () => {
    localStorage.setItem('draft:profile:customer-1', '{"phone":7,"name":')
    expect(setUp().autosave.getState().values.name).toBe('Ada')
    localStorage.setItem('draft:profile:customer-1', '{"phone":7,"name":{"from":"Ada","to":8}}')
    expect(setUp().autosave.getState().values.name).toBe('Ada')
  })
})
