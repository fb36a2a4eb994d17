import { numberAt } from './read.ts'

/** Whether the API server responds, from the results of repeated requests. */
export interface Contact {
  /** The time of the last response. */
  readonly answered: number | undefined
  readonly isFailing: boolean
}

export const NO_CONTACT: Contact = { answered: undefined, isFailing: false }

/** The status that Headlamp sets for a request that timed out. */
const TIMED_OUT = 408

/**
 * Returns whether an error comes from the API server itself, for example a refusal. A proxy in front of it responds with a 5xx status if it
 * cannot reach the API server.
 */
export const isResponse = (error: unknown): boolean => {
  const status = numberAt(error, 'status')
  return status !== undefined && status >= 400 && status < 500 && status !== TIMED_OUT
}

export const afterRequest = (before: Contact, now: number, isAnswered: boolean): Contact =>
  isAnswered ? { answered: now, isFailing: false } : { ...before, isFailing: true }

/** Returns the time since which the figures of a page are old, or undefined if the API server responds. */
export const staleSince = ({ answered, isFailing }: Contact): number | undefined => (isFailing ? answered : undefined)
