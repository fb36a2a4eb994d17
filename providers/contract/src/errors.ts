/**
 * The typed errors of the provider contract (`docs/spec/provider-contract.md#typed-errors`). Callers look for them at any depth of the
 * `cause` chain.
 */

import type { Milliseconds } from '@kerf/apis'
import { WaitingError } from '@kerf/runtime'
import type { ComingInstance } from './cloud-provider.ts'

export class NodeClaimNotFoundError extends Error {
  override readonly name = 'NodeClaimNotFoundError'
  constructor(message: string, options?: ErrorOptions) {
    super(`nodeclaim not found, ${message}`, options)
  }
}

/**
 * None of the offerings that the NodeClaim's requirements allow can currently be launched. The provider must mark the offerings as
 * unavailable before it throws this error.
 */
export class InsufficientCapacityError extends Error {
  override readonly name = 'InsufficientCapacityError'
  constructor(message: string, options?: ErrorOptions) {
    super(`insufficient capacity, ${message}`, options)
  }
}

export class NodeClassNotReadyError extends Error {
  override readonly name = 'NodeClassNotReadyError'
  constructor(message: string, options?: ErrorOptions) {
    super(`NodeClassRef not ready, ${message}`, options)
  }
}

/** The launch failed, and a retry may help. `reason` and `conditionMessage` are written to the NodeClaim's Launched condition. */
export class CreateError extends Error {
  override readonly name = 'CreateError'
  readonly reason: string
  readonly conditionMessage: string
  constructor(reason: string, conditionMessage: string, options?: ErrorOptions) {
    super(`creating nodeclaim, ${conditionMessage}`, options)
    this.reason = reason
    this.conditionMessage = conditionMessage
  }
}

/**
 * An instance is being created for the NodeClaim but has no provider ID yet. This is not a failure. The claim waits with Launched=Unknown,
 * the reason `LaunchPending` and this message, and Kerf calls `create` again after `retryAfter`. Only for providers with a `launchTimeout`
 * (`docs/spec/provider-contract.md#slow-launches`).
 */
export class LaunchPendingError extends Error {
  override readonly name = 'LaunchPendingError'
  readonly retryAfter: Milliseconds
  /**
   * The instance that is being launched. While it is undefined, Kerf does not plan any pods in the cluster, because the capacity that the
   * launch will add is unknown.
   */
  readonly coming: ComingInstance | undefined
  constructor(
    message: string,
    retryAfter: Milliseconds,
    { coming, ...options }: ErrorOptions & { readonly coming?: ComingInstance } = {},
  ) {
    super(message, options)
    this.retryAfter = retryAfter
    this.coming = coming
  }
}

/**
 * The instance exists, but the cloud refuses to terminate it until a user acts. `reason` and `conditionMessage` tell the user what to do.
 * Kerf writes them to the NodeClaim's InstanceTerminating condition and to an Event.
 */
export class DeleteError extends Error {
  override readonly name = 'DeleteError'
  readonly reason: string
  readonly conditionMessage: string
  constructor(reason: string, conditionMessage: string, options?: ErrorOptions) {
    super(`deleting nodeclaim, ${conditionMessage}`, options)
    this.reason = reason
    this.conditionMessage = conditionMessage
  }
}

/** The NodePool's overlays have not been evaluated yet. The overlay layer throws this error. */
export class UnevaluatedNodePoolError extends Error {
  override readonly name = 'UnevaluatedNodePoolError'
  readonly nodePool: string
  constructor(nodePool: string) {
    super(`overlays of nodepool ${nodePool} are not evaluated yet`)
    this.nodePool = nodePool
  }
}

/**
 * The result depends on information that is not known yet, for example after a restart or while the cloud does not respond. The error does
 * not mean that the NodeClaim has a problem. Callers should try again later.
 */
export class NotKnownYetError extends WaitingError {
  override readonly name = 'NotKnownYetError'
}

type ErrorClass<E> = abstract new (...args: never[]) => E

/** Returns the first error of this class in the chain of causes. Also searches the errors of an AggregateError. */
export const findError = <E extends Error>(error: unknown, type: ErrorClass<E>): E | undefined => {
  if (error instanceof type) return error
  if (error instanceof AggregateError) {
    for (const inner of error.errors) {
      const found = findError(inner, type)
      if (found !== undefined) return found
    }
  }
  return error instanceof Error && error.cause !== undefined ? findError(error.cause, type) : undefined
}

export const isNodeClaimNotFound = (error: unknown): boolean => findError(error, NodeClaimNotFoundError) !== undefined
export const isInsufficientCapacity = (error: unknown): boolean =>
  findError(error, InsufficientCapacityError) !== undefined
export const isNodeClassNotReady = (error: unknown): boolean => findError(error, NodeClassNotReadyError) !== undefined
export const isLaunchPending = (error: unknown): boolean => findError(error, LaunchPendingError) !== undefined
export const isNotKnownYet = (error: unknown): boolean => findError(error, NotKnownYetError) !== undefined
