import {
  clearCondition,
  conditionSets,
  DISRUPTION_BLOCKED,
  findCondition,
  isConditionTrue,
  karpenterKinds,
  type Milliseconds,
  type NodeClaim,
  setCondition,
} from '@kerf/apis'
import {
  type Blocker,
  blockerRemedy,
  blockerSentence,
  isShownElsewhere,
  isTransientBlocker,
  oncePerObject,
} from '@kerf/engine'
import { type Controller, done, isConflict, isNotFound, retry } from '@kerf/runtime'
import { patchConditions } from '../../condition-patch.ts'
import type { Deps } from '../../deps.ts'
import { ifReadable } from '../../state/isolation/if-readable.ts'
import type { StateNode } from '../../state/state-node.ts'
import type { DisruptionStatus } from '../methods/method.ts'

/** How long a reason must last before Kerf writes it to the condition. Reasons that change from pass to pass only appear in Events. */
const SETTLED: Milliseconds = 60_000
/** The corresponding duration for reasons that expire without any action. */
const TRANSIENT: Milliseconds = 300_000
/** How long a new message for the same reason must last before Kerf writes it. */
const REWORDED: Milliseconds = 600_000
/** If the message for the same reason keeps changing, Kerf writes the current message after this time. */
const OUTDATED: Milliseconds = 3_600_000
/** The maximum number of writes per pass. The remaining conditions wait for the next pass. */
const WRITES_PER_PASS = 50
const LONGEST_MESSAGE = 1_000

/** Returns the code as a CamelCase condition reason, for example `PdbBlocks` for `pdb.blocks`. */
export const conditionReason = (code: Blocker['code']): string =>
  code
    .split(/[.-]/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('')

/** Returns the blocker and its remedy as a message for users. */
export const conditionMessage = (blocker: Blocker): string => {
  const sentence = blockerSentence(blocker)
  const remedy = blockerRemedy(blocker)
  const text = `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`
  const whole = remedy === undefined ? text : `${text}. What would change it: ${remedy}`
  return whole.length <= LONGEST_MESSAGE ? whole : `${whole.slice(0, LONGEST_MESSAGE - 1)}…`
}

/** The desired condition. If `reason` is undefined, the condition should be absent. */
interface DesiredCondition {
  readonly reason: string | undefined
  readonly message: string
}

interface Observed extends DesiredCondition {
  readonly uid: string
  readonly holdsFor: Milliseconds
  /** Since when the reason has been unchanged. */
  readonly since: Milliseconds
  /** Since when the message has also been unchanged. */
  readonly wordedSince: Milliseconds
  /** Set if the stored condition has an outdated message: that message, and the time since which it has been outdated. */
  readonly outdated?: { readonly message: string | undefined; readonly since: Milliseconds }
}

type HeldCondition = DesiredCondition & { readonly holdsFor: Milliseconds }

const NOT_BLOCKED: HeldCondition = { reason: undefined, message: '', holdsFor: SETTLED }

/** Cached per blocker, because consecutive passes find the same blocker for most nodes. */
const blockedCondition = oncePerObject(
  (blocker: Blocker): HeldCondition => ({
    reason: conditionReason(blocker.code),
    message: conditionMessage(blocker),
    holdsFor: isTransientBlocker(blocker) ? TRANSIENT : SETTLED,
  }),
)

const conditionFor = (status: Exclude<DisruptionStatus, 'unknown'>): HeldCondition =>
  status === 'disruptable' ? NOT_BLOCKED : blockedCondition(status)

/**
 * Writes the NodeClaim condition `kerf.sh/DisruptionBlocked`, whose message explains why Kerf does not disrupt the node. To limit writes, a
 * reason must last for some time, and a new message for the same reason must last even longer. A claim whose condition is up to date is not
 * written. So an unchanged cluster causes no writes, even after a restart.
 */
export class BlockedConditions {
  readonly #deps: Pick<Deps, 'client' | 'clock' | 'informers'>
  #observed: ReadonlyMap<string, Observed> = new Map()
  /** The conditions to write, by claim name. */
  readonly #due = new Map<string, DesiredCondition>()
  #enqueue: ((name: string) => void) | undefined
  #nextCheck: Milliseconds = Number.POSITIVE_INFINITY

  constructor(deps: Pick<Deps, 'client' | 'clock' | 'informers'>) {
    this.#deps = deps
  }

  /** Records the status of every node. Afterwards, the controller writes the conditions that have lasted long enough. */
  report(statuses: Iterable<readonly [Pick<StateNode, 'claim'>, DisruptionStatus]>): void {
    const now = this.#deps.clock.now()
    const observed = new Map<string, Observed>()
    const wrong: string[] = []
    const outdated: string[] = []
    let nextCheck = Number.POSITIVE_INFINITY
    const add = (claim: NodeClaim, status: DisruptionStatus): void => {
      if (isBeingDisrupted(claim)) return
      const name = claim.metadata.name
      const before = this.#observed.get(name)
      if (status === 'unknown' || (typeof status === 'object' && isShownElsewhere(status))) {
        if (before !== undefined) observed.set(name, before)
        return
      }
      const note = nextNote(before, claim, conditionFor(status), now)
      observed.set(name, note)
      if (isWrong(note, claim)) {
        const due = note.since + note.holdsFor
        if (now >= due) wrong.push(name)
        nextCheck = Math.min(nextCheck, due)
      } else if (note.outdated !== undefined) {
        const due = Math.min(note.wordedSince + REWORDED, note.outdated.since + OUTDATED)
        if (now >= due) outdated.push(name)
        nextCheck = Math.min(nextCheck, due)
      }
    }
    // Skips claims that cannot be read. Cluster state already reports them.
    for (const [{ claim }, status] of statuses) if (claim !== undefined) ifReadable(() => add(claim, status))
    this.#observed = observed
    this.#nextCheck = nextCheck
    this.#due.clear()
    for (const name of [...wrong, ...outdated].slice(0, WRITES_PER_PASS)) {
      const note = observed.get(name)
      if (note === undefined) continue
      this.#due.set(name, note)
      this.#enqueue?.(name)
    }
  }

  /**
   * The time at which the first change of a condition is due. A change is due after it has lasted long enough. The time lies in the past
   * while changes that are due have not been written yet.
   */
  get nextCheck(): Milliseconds {
    return this.#nextCheck
  }

  controller(): Controller {
    return {
      name: 'nodeclaim.disruptionblocked',
      reconciles: karpenterKinds.NodeClaim,
      sources: [],
      concurrency: 10,
      subscribe: (enqueue) => {
        this.#enqueue = enqueue
        return () => {
          this.#enqueue = undefined
        }
      },
      reconcile: async (name, signal) => {
        const wanted = this.#due.get(name)
        const claim = this.#deps.informers.of(karpenterKinds.NodeClaim).get(name)
        if (wanted === undefined || claim === undefined || isBeingDisrupted(claim)) return done()
        try {
          const conditions = withBlocked(claim, wanted, this.#deps.clock.now())
          await patchConditions(this.#deps.client, karpenterKinds.NodeClaim, claim, conditions, signal)
        } catch (error) {
          if (isConflict(error)) return retry()
          if (!isNotFound(error)) throw error
        }
        this.#due.delete(name)
        return done()
      },
    }
  }
}

const withBlocked = (claim: NodeClaim, { reason, message }: DesiredCondition, now: Milliseconds) => {
  const set = conditionSets.NodeClaim
  return reason === undefined
    ? clearCondition(set, claim, DISRUPTION_BLOCKED)
    : setCondition(set, claim, { type: DISRUPTION_BLOCKED, status: 'True', reason, message }, now)
}

/** Returns whether the claim is being disrupted. In this case, it needs no condition. */
const isBeingDisrupted = (claim: NodeClaim): boolean =>
  claim.metadata.deletionTimestamp !== undefined || isConditionTrue(claim, 'DisruptionReason')

const isWrong = ({ reason }: DesiredCondition, claim: NodeClaim): boolean =>
  findCondition(claim, DISRUPTION_BLOCKED)?.reason !== reason

const nextNote = (
  before: Observed | undefined,
  claim: NodeClaim,
  wanted: HeldCondition,
  now: Milliseconds,
): Observed => {
  const uid = claim.metadata.uid ?? ''
  const isSame = before !== undefined && before.uid === uid && before.reason === wanted.reason
  const isWorded = isSame && before.message === wanted.message
  const said = findCondition(claim, DISRUPTION_BLOCKED)
  const isOutdated = said !== undefined && said.reason === wanted.reason && said.message !== wanted.message
  const isSaidStill = before?.outdated !== undefined && before.outdated.message === said?.message
  return {
    ...wanted,
    uid,
    since: isSame ? before.since : now,
    wordedSince: isWorded ? before.wordedSince : now,
    ...(isOutdated ? { outdated: isSaidStill ? before.outdated : { message: said.message, since: now } } : {}),
  }
}
