import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { mendCallsBy } from '#lib/api.ts'

// A page's own code is loaded when it is first shown, which takes a busy machine longer than a second.
configure({ asyncUtilTimeout: 30_000 })

// Test files share a browser: each test begins in one that has kept nothing, at its first address.
beforeEach(() => {
  localStorage.clear()
  window.history.replaceState(null, '', '/')
  mendCallsBy({ onOver: () => undefined, askAgain: async () => false })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
