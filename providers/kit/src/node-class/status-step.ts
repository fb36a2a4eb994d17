import { type ConditionChange, type Conditioned, findCondition, type KubeObject, type Milliseconds } from '@kerf/apis'

/** A node class whose status has conditions. */
export type NodeClassObject = KubeObject & Pick<Conditioned, 'status'>

/** The result of resolving one part of a node class. */
export interface StepResult<T extends NodeClassObject> {
  readonly status?: Partial<NonNullable<T['status']>>
  readonly condition?: ConditionChange
  /** Conditions of other parts that what was found makes untrue. The steps after it see them. */
  readonly invalidates?: readonly ConditionChange[]
  /**
   * The condition for when the cloud did not respond. It is used only when nothing is known: a condition that is True for
   * the current generation of the class remains True, and its message says that the part could not be resolved again.
   */
  readonly unanswered?: ConditionChange
  /** When to resolve the class again even if nothing changes. */
  readonly again?: Milliseconds
  /** A failure that a retry may fix. The other parts continue. */
  readonly error?: unknown
}

/** Looks at one part of a node class, as the parts before left it. */
export interface Step<T extends NodeClassObject> {
  /** The condition that the part is summed up in. */
  readonly condition: string
  run(nodeClass: T, signal: AbortSignal): Promise<StepResult<T>>
}

/** What a failed call says for the condition: its cause, and its remedy where somebody must act. */
export interface StepCause {
  readonly reason: string
  readonly message: string
  /** It may pass by itself soon: it is told only where nothing else is known of the class as it is written now. */
  readonly isBrief?: true
}

/** Whether the condition is True for the class as it is written now. */
export const isKnownGood = (nodeClass: NodeClassObject, type: string): boolean => {
  const condition = findCondition(nodeClass, type)
  return condition?.status === 'True' && condition.observedGeneration === nodeClass.metadata.generation
}

/** Whether the condition tells what was found about the class as it is written now, good or bad. */
const isKnown = (nodeClass: NodeClassObject, type: string): boolean => {
  const condition = findCondition(nodeClass, type)
  return (
    condition !== undefined &&
    condition.status !== 'Unknown' &&
    condition.observedGeneration === nodeClass.metadata.generation
  )
}

/** When the cloud does not respond, nothing new is known: earlier findings stay valid, and the condition says so. */
const heldTo = <T extends NodeClassObject>(nodeClass: T, { unanswered, ...result }: StepResult<T>): StepResult<T> => {
  if (unanswered === undefined) return result
  const { type, message = '' } = unanswered
  const condition = isKnownGood(nodeClass, type)
    ? ({ type, status: 'True', message: `what was found before stays in use: ${message}` } as const)
    : unanswered
  return { ...result, condition }
}

/**
 * Runs a step. A call that fails is a result too: with its cause in the condition, or without where the cause passes by
 * itself.
 *
 * @throws the reason of the signal when it is aborted; nothing else.
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
