import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { flush, pass, refusal, setUp } from '#testing/autosave.ts'
import { aProfile } from '#testing/fixtures.ts'

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
    await flush()
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
    await flush()
    expect(server.flights[1]?.body).toEqual({ phone: '12', addressCity: 'London', version: 2 })
    server.flights[1]?.land()
    await flush()
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
    await flush()
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
    await flush()
    expect(autosave.getState().values).toMatchObject({ name: 'A', phone: 'call me' })
  })
})

describe('a save that fails', () => {
  test('says why, keeps what was typed, and can be tried again', async () => {
    const { server, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(2000)
    server.flights[0]?.fail(refusal(503))
    await flush()
    expect(autosave.getState()).toMatchObject({ status: 'failed', problem: 'Refused with 503' })
    expect(autosave.getState().values.phone).toBe('1')
    void autosave.saveNow()
    server.flights[1]?.land()
    await flush()
    expect(autosave.getState()).toMatchObject({ status: 'saved' })
    expect(server.kept().phone).toBe('1')
  })

  test('is tried again with the next change', async () => {
    const { server, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(2000)
    server.flights[0]?.fail(new TypeError('Failed to fetch'))
    await flush()
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
    await flush()
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
    await flush()
    expect(server.flights[1]?.body).toEqual({ phone: '1', version: 2 })
    server.flights[1]?.land()
    await flush()
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
    await flush()
    void autosave.saveNow()
    server.flights[1]?.land()
    await flush()
    expect(server.flights).toHaveLength(2)
    expect(autosave.getState().status).toBe('saved')
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
    await flush()
    expect(localStorage.length).toBe(0)
  })

  test('a conflict is not solved with the profile of someone who has logged in since', async () => {
    const { server, session, autosave } = setUp()
    autosave.change('phone', '1')
    await pass(2000)
    session.isOver = true
    server.change({ _id: 'another', addressCity: 'Paris' })
    server.flights[0]?.land()
    await flush()
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
