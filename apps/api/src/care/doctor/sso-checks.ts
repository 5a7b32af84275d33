import type { Check } from '#care/doctor/check.ts'
import { checkProvider } from '#people/operators/sso-provider.ts'
import { ok, problem } from '#platform/doctor/finding.ts'

/** Where operators log in elsewhere, the provider has to answer and to be who it is called here. */
export const ssoChecks: readonly Check[] = [
  {
    name: 'single sign-on',
    look: async ({ settings: { sso } }) => {
      if (!sso) return []
      const { host } = new URL(sso.issuer)
      try {
        await checkProvider(sso)
        return ok(`${host} answers, and is the issuer that is set`)
      } catch {
        return problem(
          `${host} does not describe itself as the issuer ${sso.issuer}`,
          'See SSO_ISSUER, and whether this machine may call out to it. Owners log in with their passkeys meanwhile.',
        )
      }
    },
  },
]
