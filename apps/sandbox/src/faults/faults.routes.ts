import type { FastifyInstance } from 'fastify'
import type { FaultInjector } from '#faults/fault-injector.ts'
import { faultsFromForm, NO_FAULTS } from '#faults/faults.ts'

type FaultForm = { Body: Record<string, unknown> | undefined }

export const faultsRoutes = (faults: FaultInjector) => async (app: FastifyInstance) => {
  app.get('/gate/faults/struck', () => Object.fromEntries(faults.struck))
  app.get('/gate/faults', () => faults.switches)

  app.put('/gate/faults', (request, reply) => {
    const changes = request.body
    const isObject = typeof changes === 'object' && changes !== null && !Array.isArray(changes)
    const wrong = isObject ? faults.change(changes) : 'the body'
    return wrong
      ? reply.code(400).send({ error: `No such fault, or not its kind of value: ${wrong}` })
      : faults.switches
  })

  app.post<FaultForm>('/gate/faults', (request, reply) => {
    const form = request.body ?? {}
    const wrong = faults.change(form.clear ? NO_FAULTS : faultsFromForm(form))
    return wrong
      ? reply.code(400).send({ error: `Not a fitting value: ${wrong}` })
      : reply.redirect('/#faults', 303)
  })
}
