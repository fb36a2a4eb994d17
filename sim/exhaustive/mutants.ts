import type { Mutation } from '../workers/task.ts'
import type { PointKind } from './point.ts'

/** A deliberate bug that an undisturbed story does not show, but some point of one kind does. */
export interface PointMutant extends Mutation {
  readonly name: string
  readonly story: string
  readonly kind: PointKind
  /** The invariant that has to catch it, or the rule of `rules.ts`. */
  readonly caughtBy: string
}

/** At least one for each kind of point. A kind without one would prove nothing. */
export const pointMutants: readonly PointMutant[] = [
  {
    name: 'a registration that was cut is not continued',
    story: 'launch',
    kind: 'crash-before',
    caughtBy: 'instances-match-claims',
    file: 'controllers/src/lifecycle/node-sync.ts',
    text: 'if (isSynced) return true',
    replacement: 'if (isSynced) return false',
  },
  {
    name: 'launch without idempotency: each process has tokens of its own',
    story: 'launch',
    kind: 'crash-after',
    caughtBy: 'one-instance-per-claim',
    file: 'providers/simulated/src/simulated-provider.ts',
    text: 'token: uid,',
    replacement: 'token: this.#context.random.uuid(),',
  },
  {
    name: 'nodes that a crash left closed stay closed',
    story: 'drift-taken-back',
    kind: 'crash-after',
    caughtBy: 'nodes-match-claims',
    file: 'controllers/src/disruption/disruption-controller.ts',
    text: 'await uncordonLeftovers(this.#deps, this.#parts.state, (providerID) => this.queue.has(providerID), signal)',
    replacement: '',
  },
  {
    name: 'claims made are forgotten until the watch tells of them',
    story: 'launch',
    kind: 'event-delayed',
    caughtBy: 'no-excess-claims',
    file: 'controllers/src/provisioning/claim-creator.ts',
    text: 'this.#state.recordCreated(created)',
    replacement: '',
  },
  {
    name: 'what a new list lacks is kept',
    story: 'spot-interruption',
    kind: 'event-missed',
    caughtBy: 'instances-match-claims',
    file: 'runtime/src/informers/reflector.ts',
    text: 'for (const key of unseen) this.#mirror.remove(key)',
    replacement: '',
  },
  {
    name: 'a claim is given up when its launch fails, whatever the reason',
    story: 'launch',
    kind: 'answer-lost',
    caughtBy: 'deletions-have-causes',
    file: 'controllers/src/lifecycle/launch.ts',
    text: 'if (isInsufficientCapacity(error)) {',
    replacement: 'if (isInsufficientCapacity(error) || error !== undefined) {',
  },
]
