import type { Failure, StepCause, Step as StepOf, StepResult as StepResultOf } from '@kerf/provider-kit'
import { classifyAwsFailure } from '../../failures/aws-failure.ts'
import { classifyLaunchFailure } from '../../failures/launch-failure.ts'
import type { EC2NodeClass } from '../../node-class/ec2-node-class.ts'

/** Resolves one part of an EC2NodeClass. */
export type Step = StepOf<EC2NodeClass>
export type StepResult = StepResultOf<EC2NodeClass>

const credentialsRefused = ({ code }: Failure): string =>
  `AWS does not accept the credentials of the controller (${code}); check its region and the role of its service account (Pod Identity or IRSA)`

/**
 * Returns the cause and the remedy that a condition reports for a failed call, if a user must act. Returns undefined for temporary failures
 * such as throttling and service errors, which leave the condition unchanged.
 */
export const toStepCause = (error: unknown): StepCause | undefined => {
  const failure = classifyAwsFailure(error)
  switch (failure.class) {
    case 'unauthorized': {
      const { reason, message } = classifyLaunchFailure(`UnauthorizedOperation: ${failure.message}`)
      return { reason, message }
    }
    case 'credentials':
      return { reason: 'CredentialsRefused', message: credentialsRefused(failure) }
    case 'account':
      return {
        reason: 'AccountRefused',
        message: `AWS does not allow the account to use the service (${failure.code}: ${failure.message}); finish its sign-up, or enable the region for it`,
      }
    case 'no-endpoint':
      // A short DNS failure does not invalidate a node class that was resolved earlier.
      return {
        isBrief: true,
        reason: 'EndpointNotFound',
        message: `AWS cannot be found (${failure.message}); check AWS_REGION, and that the names of AWS can be resolved from the cluster`,
      }
    case 'not-found':
    case 'already-exists':
    case 'dry-run-succeeded':
    case 'rate-limited':
    case 'server':
    case 'other':
      return undefined
  }
}
