import { vi } from 'vitest'

const bytes = (text: string) => new TextEncoder().encode(text).buffer

/** What the browser gives, in the place of a device; the ids are those of the text 'device'. */
const made = {
  id: 'ZGV2aWNl',
  rawId: bytes('device'),
  type: 'public-key',
  response: {
    clientDataJSON: bytes('{}'),
    attestationObject: bytes('made'),
    authenticatorData: bytes('data'),
    signature: bytes('signed'),
    userHandle: bytes('whose'),
    getTransports: () => ['internal'],
  },
  getClientExtensionResults: () => ({}),
}

/** Stands in for the browser's passkeys. Each call gets the same device's answer, unless it is told otherwise. */
export const stubPasskeys = () => {
  const get = vi.fn(async (_options: CredentialRequestOptions): Promise<unknown> => made)
  const create = vi.fn(async (_options: CredentialCreationOptions): Promise<unknown> => made)
  const signalUnknownCredential = vi.fn(async (_unknown: object) => {})
  vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, { signalUnknownCredential }))
  vi.stubGlobal('isSecureContext', true)
  Object.defineProperty(navigator, 'credentials', { value: { get, create }, configurable: true })
  return {
    get,
    create,
    signalUnknownCredential,
    /** The browser answers nothing until its question is taken back. */
    hangs: (call: 'get' | 'create') =>
      (call === 'get' ? get : create).mockImplementation(
        ({ signal }) =>
          new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      ),
    refuses: (call: 'get' | 'create', name: string) =>
      (call === 'get' ? get : create).mockRejectedValue(new DOMException('Told by the browser', name)),
  }
}

/** What the server asks passkeys: 'localhost' is where tests run. */
export const aLoginQuestion = (more: object = {}) => ({
  ticket: 'a-ticket',
  options: {
    challenge: 'AAAA',
    rpId: 'localhost',
    allowCredentials: [],
    userVerification: 'required',
    ...more,
  },
})

export const aCreationQuestion = (more: object = {}) => ({
  ticket: 'a-ticket',
  options: {
    challenge: 'AAAA',
    rp: { id: 'localhost', name: 'Hedgerow' },
    user: { id: 'AAAA', name: 'ada@example.org', displayName: 'Ada' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    excludeCredentials: [],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    ...more,
  },
})
