import * as passkeys from '@hedgerow/contract/passkeys'
import type { FastifyInstance } from 'fastify'
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from '#people/passkeys/passkeys.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { callerOf } from '#platform/http/session.ts'

export const passkeysRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, passkeys.beginPasskey, (request) => beginPasskey(deps, callerOf(request)))

  implement(app, passkeys.addPasskey, (request) => addPasskey(deps, callerOf(request), request.body))

  implement(app, passkeys.renamePasskey, ({ customerId, params, body }) =>
    renamePasskey(deps, customerId, params.passkeyId, body.name),
  )

  implement(app, passkeys.removePasskey, async (request, reply) => {
    const { credentialId, email } = await removePasskey(deps, callerOf(request), request.params.passkeyId)
    // Where the second step ended with it, what strangers try must not stand in the way of its owner's own browser.
    await deps.knownBrowsers.remember(request, reply, email)
    return { credentialId }
  })
}
