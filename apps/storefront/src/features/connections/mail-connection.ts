import { api } from '#lib/api.ts'

export const mailConnection = (connectionId: string) =>
  api.call('mailConnection', { params: { connectionId } })
