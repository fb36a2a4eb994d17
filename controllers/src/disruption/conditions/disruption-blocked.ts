import {
  clearCondition,
  conditionSets,
  DISRUPTION_BLOCKED,
  findCondition,
  isConditionTrue,
  karpenterKinds,
  type NodeClaim,
  setCondition,
} from '@kerf/apis'
import { type Blocker, blockerSentence, oncePerObject, remedyOf } from '@kerf/engine'
import { type Controller, done, isConflict, isNotFound, type Milliseconds, retry } from '@kerf/runtime'
import { patchConditions } from '../../condition-patch.ts'
import type { Deps } from '../../deps.ts'
import type { StateNode } from '../../state/state-node.ts'
import type { DisruptionStatus } from '../explanation/disruption-status.ts'

/** How long a reason must hold before it is written: what comes and goes from look to look is left to Events. */
const SETTLED: Milliseconds = 60_000
/** The same for reasons that end by themselves, most of them soon. */
const PASSING: Milliseconds = 300_000
/** How long other words for the same reason must hold, and after how long they are written though they change again. */
const REWORDED: Milliseconds = 600_000
const OUTDATED: Milliseconds = 3_600_000
/** Writes that one look at the cluster may lead to; the others wait for the next. */
const WRITES_PER_LOOK = 50
const LONGEST_MESSAGE = 1_000

/** Told by the state of the objects themselves: the node is on its way out, nobody's, or not there. */
const UNTOLD: ReadonlySet<Blocker['code']> = new Set([
  'command.queued',
  'node.deleting',
  'node.unmanaged',
  'claim.no-node',
])

const holdsFor = (blocker: Blocker): Milliseconds => {
  switch (blocker.code) {
    case 'node.uninitialized':
    case 'node.nominated':
    case 'node.not-consolidatable':
    case 'moves.undone':
      return PASSING
    case 'budget.exhausted':
      // Used up is soon free again, closed is not.
      return blocker.allowed > 0 ? PASSING : SETTLED
    default:
      return SETTLED
  }
}

/** `pdb.blocks` → `PdbBlocks`: conditions want one word in CamelCase. */
export const conditionReason = (code: Blocker['code']): string =>
  code
    .split(/[.-]/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('')

/** What keeps the node and what would change it, as people read it. */
export const conditionMessage = (blocker: Blocker): string => {
  const sentence = blockerSentence(blocker)
  const remedy = remedyOf(blocker)
  const text = `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`
  const whole = remedy === undefined ? text : `${text}. What would change it: ${remedy}`
  return whole.length <= LONGEST_MESSAGE ? whole : `${whole.slice(0, LONGEST_MESSAGE - 1)}…`
}

/** What a condition ought to say; without a reason there ought to be none. */
interface Wanted {
  readonly reason: string | undefined
  readonly message: string
}

interface Noted extends Wanted {
  readonly uid: string
  readonly holdsFor: Milliseconds
  /** Since when the reason is this one, and the message. */
  readonly since: Milliseconds
  readonly wordedSince: Milliseconds
  /** What the object says for the reason where that is something else, and since when it is. */
  readonly outdated?: { readonly message: string | undefined; readonly since: Milliseconds }
}

type Told = Wanted & { readonly holdsFor: Milliseconds }

const NOT_BLOCKED: Told = { reason: undefined, message: '', holdsFor: SETTLED }

/** Most nodes are kept by the same blocker from one look to the next. */
const toldOf = oncePerObject(
  (blocker: Blocker): Told => ({
    reason: conditionReason(blocker.code),
    message: conditionMessage(blocker),
    holdsFor: holdsFor(blocker),
  }),
)

const wantedOf = (standing: Exclude<DisruptionStatus, 'unknown'>): Told =>
  standing === 'disruptable' ? NOT_BLOCKED : toldOf(standing)

/**
 * Keeps `kerf.sh/DisruptionBlocked` on NodeClaims: why the node is not being disrupted, for who reads only the objects. It
 * is written rarely. A reason has to hold for a while, its words for longer; an object that says so already is left
 * alone, so a quiet cluster is not written to at all, nor by a process that has just begun.
 */
export class BlockedConditions {
  readonly #deps: Pick<Deps, 'client' | 'clock' | 'informers'>
  #noted: ReadonlyMap<string, Noted> = new Map()
  /** What is to be written, by the claim's name. */
  readonly #due = new Map<string, Wanted>()
  #enqueue: ((name: string) => void) | undefined
  #nextLook: Milliseconds = Number.POSITIVE_INFINITY

  constructor(deps: Pick<Deps, 'client' | 'clock' | 'informers'>) {
    this.#deps = deps
  }

  /** Takes note of how things stand with every node, and has written what has held for long enough. */
  tell(standings: Iterable<readonly [Pick<StateNode, 'claim'>, DisruptionStatus]>): void {
    const now = this.#deps.clock.now()
    const noted = new Map<string, Noted>()
    const wrong: string[] = []
    const outdated: string[] = []
    let nextLook = Number.POSITIVE_INFINITY
    for (const [{ claim }, standing] of standings) {
      if (claim === undefined || isOnItsWay(claim)) continue
      const name = claim.metadata.name ?? ''
      const before = this.#noted.get(name)
      if (standing === 'unknown' || (typeof standing === 'object' && UNTOLD.has(standing.code))) {
        if (before !== undefined) noted.set(name, before)
        continue
      }
      const note = nextNote(before, claim, wantedOf(standing), now)
      noted.set(name, note)
      if (isWrong(note, claim)) {
        const due = note.since + note.holdsFor
        if (now >= due) wrong.push(name)
        nextLook = Math.min(nextLook, due)
      } else if (note.outdated !== undefined) {
        const due = Math.min(note.wordedSince + REWORDED, note.outdated.since + OUTDATED)
        if (now >= due) outdated.push(name)
        nextLook = Math.min(nextLook, due)
      }
    }
    this.#noted = noted
    this.#nextLook = nextLook
    this.#due.clear()
    for (const name of [...wrong, ...outdated].slice(0, WRITES_PER_LOOK)) {
      const note = noted.get(name)
      if (note === undefined) continue
      this.#due.set(name, note)
      this.#enqueue?.(name)
    }
  }

  /** When the first of what was told last, if it lasts, will have held for long enough; past for what is being written. */
  get nextLook(): Milliseconds {
    return this.#nextLook
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
        if (wanted === undefined || claim === undefined || isOnItsWay(claim)) return done()
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

const withBlocked = (claim: NodeClaim, { reason, message }: Wanted, now: Milliseconds) => {
  const set = conditionSets.NodeClaim
  return reason === undefined
    ? clearCondition(set, claim, DISRUPTION_BLOCKED)
    : setCondition(set, claim, { type: DISRUPTION_BLOCKED, status: 'True', reason, message }, now)
}

/** What kept the node is of no interest any more. */
const isOnItsWay = (claim: NodeClaim): boolean =>
  claim.metadata.deletionTimestamp !== undefined || isConditionTrue(claim, 'DisruptionReason')

const isWrong = ({ reason }: Wanted, claim: NodeClaim): boolean =>
  findCondition(claim, DISRUPTION_BLOCKED)?.reason !== reason

const nextNote = (before: Noted | undefined, claim: NodeClaim, wanted: Told, now: Milliseconds): Noted => {
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
