import { type ConditionChange, type Conditioned, findCondition, type KubeObject, type Milliseconds } from '@kerf/apis'

/** A node class whose status has conditions. */
export type NodeClassObject = KubeObject & Pick<Conditioned, 'status'>

/** The result of one step, which resolves one part of a node class. */
export interface StepResult<T extends NodeClassObject> {
  readonly status?: Partial<NonNullable<T['status']>>
  readonly condition?: ConditionChange
  /** Conditions of other steps that become untrue because of this result. The following steps see this change. */
  readonly invalidates?: readonly ConditionChange[]
  /**
   * The condition to set if the cloud did not respond and nothing is known. If the condition is already True for the current generation, it
   * remains True, and its message reports that the step could not be repeated.
   */
  readonly unanswered?: ConditionChange
  /** How soon the step runs again even if nothing changes. */
  readonly again?: Milliseconds
  /** A failure that a retry may fix. The other steps continue. */
  readonly error?: unknown
}

/** A step that resolves one part of a node class. It receives the results of the earlier steps. */
export interface Step<T extends NodeClassObject> {
  /** The type of the condition with the result of the step. */
  readonly condition: string
  run(nodeClass: T, signal: AbortSignal): Promise<StepResult<T>>
}

/** The cause of a failed call, for the message of the condition. Includes the remedy if a user must act. */
export interface StepCause {
  readonly reason: string
  readonly message: string
  /**
   * Whether the failure may soon disappear without any action. Such a failure is reported only if nothing else is known about the current
   * generation of the node class.
   */
  readonly isBrief?: true
}

/** Returns whether the condition is True for the current generation of the node class. */
export const isKnownGood = (nodeClass: NodeClassObject, type: string): boolean => {
  const condition = findCondition(nodeClass, type)
  return condition?.status === 'True' && condition.observedGeneration === nodeClass.metadata.generation
}

/** Returns whether the condition is True or False for the current generation of the node class. */
const isKnown = (nodeClass: NodeClassObject, type: string): boolean => {
  const condition = findCondition(nodeClass, type)
  return (
    condition !== undefined &&
    condition.status !== 'Unknown' &&
    condition.observedGeneration === nodeClass.metadata.generation
  )
}

/**
 * Returns the result of a step. If the cloud did not respond and the condition is already known to be True, keeps it and adds a message
 * about the missing response.
 */
const heldTo = <T extends NodeClassObject>(nodeClass: T, { unanswered, ...result }: StepResult<T>): StepResult<T> => {
  if (unanswered === undefined) return result
  const { type, message = '' } = unanswered
  const condition = isKnownGood(nodeClass, type)
    ? ({ type, status: 'True', message: `continuing with the previous result: ${message}` } as const)
    : unanswered
  return { ...result, condition }
}

/**
 * Runs a step and returns its result. If a call fails, the result is a condition with the cause, unless the failure may disappear without
 * any action.
 *
 * @throws only the reason of the signal, if it is aborted.
 */
export const runStep = async <T extends NodeClassObject>(
  step: Step<T>,
  nodeClass: T,
  causeOf: (error: unknown) => StepCause | undefined,
  signal: AbortSignal,
): Promise<StepResult<T>> => {
  try {
    return heldTo(nodeClass, await step.run(nodeClass, signal))
  } catch (error) {
    signal.throwIfAborted()
    const cause = causeOf(error)
    if (cause === undefined) return { error }
    const { reason, message, isBrief = false } = cause
    if (isBrief && isKnown(nodeClass, step.condition)) return { error }
    return heldTo(nodeClass, { error, unanswered: { type: step.condition, status: 'Unknown', reason, message } })
  }
}
