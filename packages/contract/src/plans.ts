import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { routes } from './routes.ts'

/** What plans are grouped by. */
export const Layer = z.object({ _id: z.string(), name: z.string(), description: z.string() })
export type Layer = z.infer<typeof Layer>

/** A price plan (spec §3). Its price is in the service's default currency. */
export const ShopItem = z.object({
  _id: z.string(),
  name: z.string(),
  /** '1 week', '31 days' or '1 year'; any other never ends. */
  period: z.string(),
  numOfConnections: z.int(),
  /** In minor units. */
  price: z.int(),
  layer: z.object({ _id: z.string() }),
  /** The place within its layer, from 1. */
  layerOrder: z.int(),
})
export type ShopItem = z.infer<typeof ShopItem>

export const listLayers = endpoint({
  ...routes.listLayers,
  access: 'anyone',
  summary: 'What the price plans are grouped by, in the order in which they are shown',
  schema: { response: { 200: z.array(Layer) } },
})

export const listItems = endpoint({
  ...routes.listItems,
  access: 'anyone',
  summary: 'The price plans on sale, in the order in which they are shown',
  schema: { response: { 200: z.array(ShopItem) } },
})
