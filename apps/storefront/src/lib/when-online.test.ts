import { afterEach, expect, test, vi } from 'vitest'
import { whenOnline } from '#lib/when-online.ts'

afterEach(() => vi.restoreAllMocks())

test('a part that could not be fetched without a network is fetched once there is one', async () => {
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const load = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue('there')
  const part = whenOnline(load)
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1))
  isOnline.mockReturnValue(true)
  // The wait begins a moment after the failure.
  await new Promise((done) => setTimeout(done))
  dispatchEvent(new Event('online'))
  expect(await part).toBe('there')
})

test('a part that is not there is said to be missing', async () => {
  await expect(whenOnline(() => Promise.reject(new Error('404')))).rejects.toThrow('404')
})
