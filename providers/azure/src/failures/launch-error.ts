import { createErrorFrom } from '@kerf/provider-kit'
import { classifyAzureFailure } from './azure-failure.ts'
import { toStepCause } from './step-cause.ts'

const LONGEST = 1200

/** Converts any value that a launch step threw to an error type that tells the core what to do with the NodeClaim. */
export const toLaunchError = (thrown: unknown): Error =>
  createErrorFrom(thrown, (error) => {
    const cause = toStepCause(error)
    if (cause !== undefined) return { reason: cause.reason, message: cause.message.slice(0, LONGEST) }
    const { class: kind, code, message } = classifyAzureFailure(error)
    return {
      reason: kind === 'rate-limited' ? 'RateLimited' : 'CreateInstanceFailed',
      message: `${code}: ${message}`.slice(0, LONGEST),
    }
  })
