import type { FastifyInstance } from 'fastify'
import type { FaultInjector } from '#faults/fault-injector.ts'
import { faultsFromForm, NO_FAULTS } from '#faults/faults.ts'

type FaultForm = { Body: Record<string, unknown> | undefined }

/** Each part of the outside world has its own switches, at its own prefix; its page shows them. */
export const faultsRoutes = (faults: FaultInjector, page: string) => async (app: FastifyInstance) => {
  app.get('/faults/struck', () => Object.fromEntries(faults.struck))
  app.get('/faults', () => faults.switches)

  app.put('/faults', (request, reply) => {
    const changes = request.body
    const isObject = typeof changes === 'object' && changes !== null && !Array.isArray(changes)
    const wrong = isObject ? faults.change(changes) : 'the body'
    return wrong
      ? reply.code(400).send({ error: `No such fault, or not its kind of value: ${wrong}` })
      : faults.switches
  })

  app.post<FaultForm>('/faults', (request, reply) => {
    const form = request.body ?? {}
    const wrong = faults.change(form.clear ? NO_FAULTS : faultsFromForm(form))
    return wrong
      ? reply.code(400).send({ error: `Not a fitting value: ${wrong}` })
      : reply.redirect(`${page}#faults`, 303)
  })
}
