/** Who can log in to the demonstration shop as a customer: it is on this machine alone. */
export const DEMO_CUSTOMER = { email: 'demo@mail.example', password: 'wren in the hedge' } as const
