import {
  type ConditionChange,
  type EC2NodeClass,
  type EC2NodeClassStatus,
  findCondition,
  type Milliseconds,
} from '@kerf/apis'
import type { Failure } from '@kerf/provider-kit'
import { awsFailureOf } from '../../failures/aws-failure.ts'
import { launchFailureOf } from '../../failures/launch-failure.ts'

/** The result of resolving one part of a node class. */
export interface StepResult {
  readonly status?: Partial<EC2NodeClassStatus>
  readonly condition?: ConditionChange
  /**
   * The condition for when AWS did not respond. It is used only when nothing is known: a condition that is True for the
   * current generation of the class remains True, and its message says that the part could not be resolved again.
   */
  readonly unanswered?: ConditionChange
  /** When to resolve the class again even if nothing changes. */
  readonly again?: Milliseconds
  /** A failure that a retry may fix. The other parts continue. */
  readonly error?: unknown
}

/** Looks at one part of a node class, as the parts before left it. */
export interface Step {
  /** The condition that the part is summed up in. */
  readonly condition: string
  run(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<StepResult>
}

/** Whether the condition is True for the class as it is written now. */
export const isKnownGood = (nodeClass: EC2NodeClass, type: string): boolean => {
  const condition = findCondition(nodeClass, type)
  return condition?.status === 'True' && condition.observedGeneration === nodeClass.metadata.generation
}

const credentialsRefused = ({ code }: Failure): string =>
  `AWS does not accept the credentials of the controller (${code}); check its region and the role of its service account (Pod Identity or IRSA)`

/**
 * What a failed call says for the condition: its cause and remedy where somebody must act. Throttling and faults of the
 * service pass by themselves, and leave the condition as it is.
 */
export const causeOf = (error: unknown): Pick<ConditionChange, 'reason' | 'message'> | undefined => {
  const failure = awsFailureOf(error)
  switch (failure.class) {
    case 'unauthorized': {
      const { reason, message } = launchFailureOf(`UnauthorizedOperation: ${failure.message}`)
      return { reason, message }
    }
    case 'credentials':
      return { reason: 'CredentialsRefused', message: credentialsRefused(failure) }
    case 'account':
      return {
        reason: 'AccountRefused',
        message: `AWS does not let the account use its service (${failure.code}: ${failure.message}); finish its sign-up, or enable the region for it`,
      }
    case 'no-endpoint':
      return {
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
