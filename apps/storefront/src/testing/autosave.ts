import type { Profile } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import type { SaveProfileRequest } from '@hedgerow/contract/profile'
import { vi } from 'vitest'
import { createAutosave } from '#features/profile/autosave.ts'
import { aProfile } from '#testing/fixtures.ts'

type Flight = { body: SaveProfileRequest; land: () => void; fail: (error: Error) => void }

export const refusal = (status: number, more: object = {}) =>
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

export const setUp = (profile = aProfile()) => {
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

export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
export const flush = () => pass(0)
