import type { Adapter } from '#money/gateway/adapter.ts'
import { gateBookings } from '#money/gateway/gate/gate-bookings.ts'
import { gateCheck } from '#money/gateway/gate/gate-check.ts'
import { createGateClient } from '#money/gateway/gate/gate-client.ts'
import type { DirectGateway } from '#money/gateway/gateway.ts'

/** ECOMMPAY's Gate. It calls back instead of sending events. */
export const gate: Adapter<DirectGateway> = {
  open: ({ gate }, publicUrl, onSilence) =>
    gate ? createGateClient({ gate, publicUrl }, onSilence) : undefined,
  local: ['page'],
  bookings: ({ gate, dataApi }) => (gate && dataApi ? gateBookings(dataApi, gate.projectId) : undefined),
  check: gateCheck,
}
