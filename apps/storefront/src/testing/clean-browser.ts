import { configure } from '@testing-library/react'
import { afterAll, beforeEach, vi } from 'vitest'

// A page's own code is loaded when it is first shown, which takes a busy machine longer than a second.
configure({ asyncUtilTimeout: 30_000 })

// A page that is being loaded when the file ends would be broken for the files that follow.
afterAll(() => vi.dynamicImportSettled())

// Test files share a browser: each test begins in one that has kept nothing.
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
