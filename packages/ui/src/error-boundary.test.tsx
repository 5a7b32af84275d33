import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ErrorBoundary } from '#ui/error-boundary.tsx'

/** What the build's loader says before an import fails. */
const MissingFile = (): never => {
  const error = new TypeError('Failed to fetch dynamically imported module')
  dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
  throw error
}

const reload = vi.fn()
beforeEach(() => {
  vi.clearAllMocks()
  sessionStorage.clear()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(window.location, 'reload').mockImplementation(reload)
  vi.stubGlobal('fetch', vi.fn().mockResolvedValue({ status: 200 }))
})

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a page that misses a file is loaded anew, once', async () => {
  const { unmount } = render(<ErrorBoundary>{<MissingFile />}</ErrorBoundary>)
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  unmount()
  render(<ErrorBoundary>{<MissingFile />}</ErrorBoundary>)
  await screen.findByText('This page did not load')
  expect(reload).toHaveBeenCalledOnce()
})

test.each([
  [
    'the tab can note nothing',
    // Another one in its place: what is spied on in the storage itself stays there, and later tests could store nothing.
    () => vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined }),
  ],
  ['the shop does not answer', () => vi.mocked(fetch).mockRejectedValue(new TypeError('offline'))],
  ['the shop is away', () => vi.mocked(fetch).mockResolvedValue({ status: 502 } as Response)],
])('a page is not loaded anew where %s', async (_, make) => {
  make()
  render(<ErrorBoundary>{<MissingFile />}</ErrorBoundary>)
  await screen.findByRole('button', { name: 'Reload the page' })
  expect(reload).not.toHaveBeenCalled()
})

test('a part that misses its file leaves what was typed beside it alone', async () => {
  render(
    <>
      <input aria-label="Card number" defaultValue="4000" />
      <ErrorBoundary isPart>{<MissingFile />}</ErrorBoundary>
      <ErrorBoundary isPart instead="Prices include VAT.">
        {<MissingFile />}
      </ErrorBoundary>
    </>,
  )
  await screen.findByText('A part of this page did not load')
  await screen.findByText('Prices include VAT.')
  expect(screen.getByRole('textbox', { name: 'Card number' })).toHaveProperty('value', '4000')
  expect(reload).not.toHaveBeenCalled()
})

test('a page that broke is not loaded anew: it would break again', async () => {
  const Broken = (): never => {
    throw new Error('a fault')
  }
  render(<ErrorBoundary>{<Broken />}</ErrorBoundary>)
  await screen.findByText('This page did not load')
  expect(reload).not.toHaveBeenCalled()
})
