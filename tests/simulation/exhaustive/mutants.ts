import type { Mutation } from '../workers/task.ts'
import type { PointKind } from './point.ts'

/** A deliberate bug that an undisturbed story does not reveal. A failure injected at a point of one kind reveals it. */
export interface PointMutant extends Mutation {
  readonly name: string
  readonly story: string
  readonly kind: PointKind
  /** The invariant, or the rule in `rules.ts`, that must catch the bug. */
  readonly caughtBy: string
}

/**
 * At least one deliberate bug for each kind of point. If injecting failures at the points of a kind could not detect a bug, its deliberate
 * bug would not be caught.
 */
export const pointMutants: readonly PointMutant[] = [
  {
    name: 'a registration that was interrupted is not continued',
    story: 'launch',
    kind: 'crash-before',
    caughtBy: 'instances-match-claims',
    text: 'if (isSynced) return true',
    replacement: 'if (isSynced) return false',
  },
  {
    name: 'launches are not idempotent: each process uses tokens of its own',
    story: 'launch',
    kind: 'crash-after',
    caughtBy: 'one-instance-per-claim',
    file: 'providers/simulated/src/simulated-provider.ts',
    text: 'token: uid,',
    replacement: 'token: this.#context.random.uuid(),',
  },
  {
    name: 'nodes that were tainted before a crash stay tainted',
    story: 'drift-taken-back',
    kind: 'crash-after',
    caughtBy: 'nodes-match-claims',
    text: 'await uncordonLeftovers(this.#deps, this.#deps.state, (providerID) => this.queue.has(providerID), signal)',
    replacement: '',
  },
  {
    name: 'created NodeClaims are forgotten until the watch reports them',
    story: 'launch',
    kind: 'event-delayed',
    caughtBy: 'no-excess-claims',
    text: 'this.#state.recordCreated(created)',
    replacement: '',
  },
  {
    name: 'objects that a new list does not have are kept',
    story: 'spot-interruption',
    kind: 'event-missed',
    caughtBy: 'instances-match-claims',
    text: 'for (const key of unseen) this.#mirror.remove(key)',
    replacement: '',
  },
  {
    name: 'a NodeClaim is deleted when its launch fails for any reason',
    story: 'launch',
    kind: 'answer-lost',
    caughtBy: 'deletions-have-causes',
    text: 'if (isInsufficientCapacity(error)) {',
    replacement: 'if (isInsufficientCapacity(error) || error !== undefined) {',
  },
]
