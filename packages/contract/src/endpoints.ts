/** Every endpoint by its name. Servers import the areas; the client only needs the types of this page. */
export * from './accounts.ts'
export * from './connections.ts'
export * from './invoices.ts'
export * from './orders.ts'
export * from './payments.ts'
export * from './profile.ts'
export * from './shop.ts'
