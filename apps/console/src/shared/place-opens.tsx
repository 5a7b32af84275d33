import { createContext, useContext } from 'react'

/** Whether an address of the console leads somewhere, and the role may go there. */
type Opens = (address: string) => boolean

export const PlaceOpens = createContext<Opens>(() => false)

export const usePlaceOpens = (): Opens => useContext(PlaceOpens)
