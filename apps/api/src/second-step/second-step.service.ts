export { listPasskeys } from '#second-step/passkeys.queries.ts'
export { hasApp } from '#second-step/second-step.queries.ts'
