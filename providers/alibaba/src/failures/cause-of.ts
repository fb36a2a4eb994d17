import type { StepCause } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { kindOfError } from './failure-kind.ts'

/** Returns the cause and the remedy of a failed call for a condition. Undefined for throttling, which ends without any action. */
export const causeOf = (error: unknown): StepCause | undefined => {
  const problem = textOfThrown(error)
  switch (kindOfError(error)) {
    case 'throttled':
      return undefined
    case 'account':
      return {
        reason: 'AccountRefused',
        message: `Alibaba Cloud refuses the call (${problem}); check the RAM policy of the controller, its credentials, and the balance of the account`,
      }
    case 'configuration':
    case 'not-found':
      return {
        reason: 'RequestRefused',
        message: `Alibaba Cloud refuses what the class asks for (${problem}); correct the field that the message names`,
      }
    case 'no-stock':
    case 'type-unfit':
    case 'quota':
    case 'addresses':
    case 'server':
    case 'other':
      return {
        isBrief: true,
        reason: 'AlibabaCloudUnavailable',
        message: `Alibaba Cloud does not answer (${problem}); Kerf asks again within a minute`,
      }
  }
}
