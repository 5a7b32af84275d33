import type { FastifyInstance } from 'fastify'
import { changeFaults, faultsFromForm, NO_FAULTS } from '#gateway/faults.ts'
import type { Gateway } from '#gateway/gateway.ts'

type FaultForm = { Body: Record<string, string> | undefined }

/** Naming a seed, the same one included, starts its run from the beginning. */
const change = (gateway: Gateway, changes: object): string | undefined => {
  const wrong = changeFaults(gateway.faults, changes)
  if (!wrong && 'seed' in changes) gateway.draws.reseed(gateway.faults.seed)
  return wrong
}

export const faultsRoutes = (gateway: Gateway) => async (app: FastifyInstance) => {
  app.get('/gate/faults/struck', () => Object.fromEntries(gateway.struck))
  app.get('/gate/faults', () => gateway.faults)

  app.put('/gate/faults', (request, reply) => {
    const changes = request.body
    const isObject = typeof changes === 'object' && changes !== null && !Array.isArray(changes)
    const wrong = isObject ? change(gateway, changes) : 'the body'
    return wrong
      ? reply.code(400).send({ error: `No such fault, or not its kind of value: ${wrong}` })
      : gateway.faults
  })

  app.post<FaultForm>('/gate/faults', (request, reply) => {
    const form = request.body ?? {}
    const wrong = change(gateway, form.clear ? NO_FAULTS : faultsFromForm(form))
    return wrong
      ? reply.code(400).send({ error: `Not a fitting value: ${wrong}` })
      : reply.redirect('/#faults', 303)
  })
}
