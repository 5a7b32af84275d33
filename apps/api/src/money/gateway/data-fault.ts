/** A gateway was asked what it has booked, and nothing that could be used came back; what was asked may be asked again. */
export class DataFault extends Error {}
