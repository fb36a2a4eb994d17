import type { Milliseconds } from '@kerf/runtime'
import type { StateNode } from '../../state/state-node.ts'
import { type Assessment, type AssessmentParts, assess } from '../candidates/assessment.ts'
import type { OfferedTypes, PoolTypes } from '../candidates/offered-types.ts'

/** An assessment with everything that it was made from. */
interface Known {
  readonly version: number
  readonly offered: PoolTypes | undefined
  readonly budgets: number
  readonly isQueued: boolean
  readonly isNominated: boolean
  readonly assessment: Assessment
}

/** Whether time alone could change it. */
const isTimed = ({ blockers }: Assessment): boolean =>
  blockers.some((blocker) => 'until' in blocker && blocker.until !== undefined)

/**
 * Looks at nodes, and keeps what was found for as long as nothing changes that it came from: from one round to the next
 * most nodes stay as they are.
 */
export class Assessments {
  readonly #parts: AssessmentParts
  readonly #known = new WeakMap<StateNode, Known>()

  constructor(parts: AssessmentParts) {
    this.#parts = parts
  }

  /** The node as it is now; the very object of the last time if nothing is different. */
  of(node: StateNode, types: OfferedTypes, now: Milliseconds): Assessment {
    const { state, budgets, isQueued } = this.#parts
    const { version, nodePool, providerID } = node
    const known = this.#known.get(node)
    const made = {
      version,
      offered: nodePool === undefined ? undefined : types.get(nodePool),
      budgets: budgets.version,
      isQueued: isQueued(providerID),
      isNominated: state.isNominated(providerID),
    }
    if (known !== undefined && isSame(known, made) && !isTimed(known.assessment)) return known.assessment
    const assessment = assess(node, types, this.#parts, now)
    this.#known.set(node, { ...made, assessment })
    return assessment
  }
}

const isSame = (a: Omit<Known, 'assessment'>, b: Omit<Known, 'assessment'>): boolean =>
  a.version === b.version &&
  a.offered === b.offered &&
  a.budgets === b.budgets &&
  a.isQueued === b.isQueued &&
  a.isNominated === b.isNominated
