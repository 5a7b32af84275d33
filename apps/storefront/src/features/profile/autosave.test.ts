import type { Profile } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import type { SaveProfileRequest } from '@hedgerow/contract/profile'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAutosave } from '#features/profile/autosave.ts'
import { aProfile } from '#testing/things.ts'

type Flight = { body: SaveProfileRequest; land: () => void; fail: (error: Error) => void }

const refusal = (status: number, more: object = {}) =>
  new ApiError({ title: 'Problem', status, detail: `Refused with ${status}`, ...more })

/** A server that answers each save when the test says so, and keeps what it took. */
const aServer = (start: Profile) => {
  let kept = start
  const flights: Flight[] = []
  return {
    flights,
    kept: () => kept,
    /** Someone else saves. */
    change: (fields: Partial<Profile>) => {
      kept = { ...kept, ...fields, version: kept.version + 1 }
    },
    load: async () => kept,
    save: (body: SaveProfileRequest) =>
      new Promise<Profile>((resolve, reject) => {
        const land = () => {
          const { version, ...fields } = body
          if (version !== undefined && version < kept.version) return reject(refusal(409))
          kept = { ...kept, ...fields, version: kept.version + 1 }
          resolve(kept)
        }
        flights.push({ body, land, fail: reject })
      }),
  }
}

const setUp = (profile = aProfile()) => {
  const server = aServer(profile)
  const saved: Profile[] = []
  const session = { isOver: false }
  const open = (from = server.kept()) =>
    createAutosave({
      profile: from,
      save: server.save,
      load: server.load,
      onSaved: (one) => saved.push(one),
      isOver: () => session.isOver,
    })
  return { server, saved, session, open, autosave: open() }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const settle = () => pass(0)

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the profile is saved', () => {
  test('two seconds after the last change, with what was changed and nothing else', async () => {
    const { server, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(1999)
    autosave.change('phone', '12')
    await pass(1999)
    expect(server.flights).toEqual([])
    await pass(1)
    expect(server.flights.map(({ body }) => body)).toEqual([{ phone: '12', version: 1 }])
  })

  test('never with its initial value', async () => {
    const { server, autosave } = setUp()
    autosave.start()
    await pass(10_000)
    expect(server.flights).toEqual([])
  })

  test('never unchanged: typed and taken back, or with spaces around it', async () => {
    const { server, autosave } = setUp()
    autosave.change('name', 'Adam')
    autosave.change('name', 'Ada')
    autosave.change('name', ' Ada ')
    await pass(10_000)
    expect(server.flights).toEqual([])
    expect(autosave.getState().status).toBe('idle')
  })

  test('says Saving, then Saved', async () => {
    const { server, saved, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(2000)
    expect(autosave.getState().status).toBe('saving')
    server.flights[0]?.land()
    await settle()
    expect(autosave.getState().status).toBe('saved')
    expect(saved).toMatchObject([{ phone: '1', version: 2 }])
  })

  test('one save at a time: later changes wait for the one in flight', async () => {
    const { server, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(2000)
    autosave.change('phone', '12')
    autosave.change('addressCity', 'London')
    await pass(5000)
    expect(server.flights).toHaveLength(1)
    server.flights[0]?.land()
    await settle()
    expect(server.flights[1]?.body).toEqual({ phone: '12', addressCity: 'London', version: 2 })
    server.flights[1]?.land()
    await settle()
    expect(server.kept()).toMatchObject({ phone: '12', addressCity: 'London' })
    expect(autosave.getState().status).toBe('saved')
  })

  test('takes back what was taken back while the save was in flight', async () => {
    const { server, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(2000)
    autosave.change('phone', '')
    server.flights[0]?.land()
    await pass(2000)
    server.flights[1]?.land()
    await settle()
    expect(server.kept().phone).toBe('')
    expect(autosave.getState().values.phone).toBe('')
  })

  test('without a field that is invalid, which is marked', async () => {
    const { server, autosave } = setUp()
    autosave.change('name', 'A')
    autosave.change('phone', 'call me')
    autosave.change('addressCity', 'London')
    expect(autosave.getState().errors).toEqual({
      name: 'The name should not be shorter than 2 letters',
      phone: 'Use digits, spaces and + - . / ( ) only',
    })
    await pass(2000)
    expect(server.flights.map(({ body }) => body)).toEqual([{ addressCity: 'London', version: 1 }])
    server.flights[0]?.land()
    await settle()
    expect(autosave.getState().values).toMatchObject({ name: 'A', phone: 'call me' })
  })
})

describe('a save that fails', () => {
  test('says why, keeps what was typed, and can be tried again', async () => {
    const { server, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(2000)
    server.flights[0]?.fail(refusal(503))
    await settle()
    expect(autosave.getState()).toMatchObject({ status: 'failed', problem: 'Refused with 503' })
    expect(autosave.getState().values.phone).toBe('1')
    void autosave.saveNow()
    server.flights[1]?.land()
    await settle()
    expect(autosave.getState()).toMatchObject({ status: 'saved' })
    expect(server.kept().phone).toBe('1')
  })

  test('is tried again with the next change', async () => {
    const { server, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(2000)
    server.flights[0]?.fail(new TypeError('Failed to fetch'))
    await settle()
    autosave.change('addressCity', 'London')
    await pass(2000)
    expect(server.flights[1]?.body).toEqual({ phone: '1', addressCity: 'London', version: 1 })
  })

  test('at one field marks that field and saves the others', async () => {
    const { server, autosave } = setUp()
    autosave.change('phone', '1')
    autosave.change('addressCity', 'London')
    await pass(2000)
    server.flights[0]?.fail(refusal(422, { errors: [{ path: 'phone', message: 'Not this one' }] }))
    await settle()
    expect(autosave.getState().errors).toEqual({ phone: 'Not this one' })
    expect(server.flights[1]?.body).toEqual({ addressCity: 'London', version: 1 })
    server.flights[1]?.land()
    await pass(10_000)
    expect(server.flights).toHaveLength(2)
    autosave.change('phone', '12')
    expect(autosave.getState().errors).toEqual({})
    await pass(2000)
    expect(server.flights[2]?.body).toEqual({ phone: '12', version: 2 })
  })

  test('because the profile was changed elsewhere applies what the customer changed to the newer one', async () => {
    const { server, saved, autosave } = setUp()
    autosave.change('phone', '1')
    server.change({ addressCity: 'Paris', phone: '99' })
    await pass(2000)
    server.flights[0]?.land()
    await settle()
    expect(server.flights[1]?.body).toEqual({ phone: '1', version: 2 })
    server.flights[1]?.land()
    await settle()
    expect(server.kept()).toMatchObject({ phone: '1', addressCity: 'Paris', version: 3 })
    expect(autosave.getState()).toMatchObject({ status: 'saved', values: { addressCity: 'Paris' } })
    expect(saved.at(-1)?.addressCity).toBe('Paris')
  })

  test('although it arrived is no conflict with itself', async () => {
    const { server, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(2000)
    server.change({ phone: '1' })
    server.flights[0]?.fail(new TypeError('Failed to fetch'))
    await settle()
    void autosave.saveNow()
    server.flights[1]?.land()
    await settle()
    expect(server.flights).toHaveLength(2)
    expect(autosave.getState().status).toBe('saved')
  })
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
      await settle()
      for (const flight of server.flights.slice(2)) flight.land()
      await settle()
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
    await settle()
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

describe('once the session is over', () => {
  test('nothing is sent any more, neither later nor on leaving', async () => {
    const { server, session, autosave } = setUp()
    autosave.change('phone', '1')
    session.isOver = true
    await pass(5000)
    void autosave.leave()
    void autosave.saveNow()
    expect(server.flights).toEqual([])
  })

  test('a save that fails late writes no draft into the emptied browser', async () => {
    const { server, session, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(2000)
    session.isOver = true
    localStorage.clear()
    server.flights[0]?.fail(new TypeError('Failed to fetch'))
    await settle()
    expect(localStorage.length).toBe(0)
  })

  test('a conflict is not solved with the profile of whoever has logged in since', async () => {
    const { server, session, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(2000)
    session.isOver = true
    server.change({ _id: 'another', addressCity: 'Paris' })
    server.flights[0]?.land()
    await settle()
    expect(server.flights).toHaveLength(1)
    expect(autosave.getState().values.addressCity).toBe('')
  })
})

test('a profile that is loaded anew shows in the fields that nobody has touched', () => {
  const { autosave } = setUp()
  autosave.change('phone', '1')
  autosave.refresh(aProfile({ version: 2, phone: '99', addressCity: 'Paris' }))
  expect(autosave.getState().values).toMatchObject({ phone: '1', addressCity: 'Paris' })
})
