import * as contract from '@hedgerow/contract/console/rates'
import { describe, expect, test } from 'vitest'
import { ratesRoutes } from '#desk/rates/rates.routes.ts'
import { callsBy } from '#testing/calls.ts'
import { openBooks } from '#testing/papers.ts'

const open = async () => {
  const { db } = await openBooks()
  const calls = callsBy((app) => ratesRoutes(app, { db }))
  return {
    set: (call: Parameters<typeof calls.call>[0], body: object) => calls.call(call, { body }),
    list: (call: Parameters<typeof calls.call>[0]) => calls.call(call, {}),
  }
}

describe('rates for Blik', () => {
  test('are those of now, and one more than a tenth from the last has to be meant', async () => {
    const { set, list } = await open()
    const blik = (rate: string, more: object = {}) =>
      set(contract.setBlikRate, { currency: 'EUR', rate, isMeant: false, ...more })
    await blik('4.25')
    expect(await blik('4.675')).toMatchObject({ isChanged: true, rate: '4.675', was: '4.25' })
    await expect(blik('42.5')).rejects.toThrow(
      '42.50 is more than a tenth away from the last rate, 4.675. If it is meant, say so.',
    )
    await blik('2', { isMeant: true })
    await Promise.all([blik('2.10'), blik('2.11')])
    await set(contract.setBlikRate, { currency: 'GBP', rate: '5.10' })
    expect(await list(contract.listBlikRates)).toMatchObject([
      {
        currency: 'EUR',
        rate: expect.stringMatching(/^2\.1[01]$/),
        when: null,
        setAt: expect.stringMatching(/Z$/),
      },
      { currency: 'GBP', rate: '5.10' },
    ])
  })

  test.each(['0', '-1', '1e3', '4,25', ''])('are not %j', async (rate) => {
    const { set } = await open()
    await expect(set(contract.setBlikRate, { currency: 'EUR', rate })).rejects.toThrow()
  })
})

describe('rates of the books', () => {
  test('are listed by month or day, the latest first', async () => {
    const { set, list } = await open()
    await set(contract.setSterlingRate, { month: '2026-09', rate: '1.15' })
    expect(await set(contract.setSterlingRate, { month: '2026-10', rate: '1.1534' })).toMatchObject({
      isChanged: true,
      currency: 'EUR',
      when: '2026-10',
    })
    expect(await list(contract.listSterlingRates)).toMatchObject([
      { when: '2026-10', rate: '1.1534' },
      { when: '2026-09', rate: '1.15' },
    ])
    await set(contract.setEcbRate, { day: '2026-09-30', rate: '0.8731' })
    expect(await list(contract.listEcbRates)).toMatchObject([
      { when: '2026-09-30', currency: 'GBP', rate: '0.8731' },
    ])
  })

  test('say why one is refused', async () => {
    const { set } = await open()
    const sterling = (rate: string, more: object = {}) =>
      set(contract.setSterlingRate, { month: '2026-10', rate, ...more })
    await sterling('1.15')
    expect(await sterling('1.15')).toMatchObject({ isChanged: false })
    await expect(sterling('1.16')).rejects.toThrow(
      '£1 is 1.15 EUR in the books of 2026-10 already. If that is a mistake, say that it is replaced.',
    )
    expect(await sterling('1.16', { correct: true })).toMatchObject({ isChanged: true, was: '1.15' })
    for (const day of ['2026-02-30', '2026-13-01', ''])
      await expect(set(contract.setEcbRate, { day, rate: '0.87' })).rejects.toThrow()
    for (const month of ['2026-13', '2026', ''])
      await expect(set(contract.setSterlingRate, { month, rate: '1.15' })).rejects.toThrow()
  })

  test('are taken over from HMRC’s file', async () => {
    const { set } = await open()
    const take = (text: string) =>
      set(contract.importHmrcRates, {
        file: { name: 'hmrc.csv', base64: Buffer.from(text).toString('base64') },
      })
    const heads = 'Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date'
    const file = `${heads}\nEurozone,Euro,EUR,1.1534,01/07/2026,31/07/2026\n`
    expect(await take(file)).toEqual({ set: 1, known: 0 })
    expect(await take(file)).toEqual({ set: 0, known: 1 })
    await expect(take(file.replace('1.1534', '1.16'))).rejects.toThrow(/already/)
    await expect(take(file.replace('EUR', 'XXX'))).rejects.toMatchObject({
      extras: { errors: [{ path: 'file', message: expect.stringContaining('no rate of EUR') }] },
    })
  })
})
