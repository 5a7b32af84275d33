/** What the sealed secrets of an endpoint are bound to. */
export const webhookSecretOwner = (id: string): string => `webhook ${id}`
export const formerSecretOwner = (id: string): string => `former webhook ${id}`
