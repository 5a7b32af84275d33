import { beforeEach } from 'vitest'

// Test files share a browser: each test begins in one that has kept nothing.
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
