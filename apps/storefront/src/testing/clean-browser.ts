import { configure } from '@testing-library/react'
import { beforeEach } from 'vitest'

// A page's own code is loaded when it is first shown, which takes a busy machine longer than a second.
configure({ asyncUtilTimeout: 30_000 })

// Test files share a browser: each test begins in one that has kept nothing.
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
