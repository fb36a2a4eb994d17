import { DISRUPTION_BLOCKED, findCondition, isConditionTrue, karpenterKinds, type NodeClaim } from '@kerf/apis'
import type { Blocker } from '@kerf/engine'
import { ApiError, VirtualClock } from '@kerf/runtime'
import { condition, nodeClaim } from '@kerf/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ManualInformers } from '../../testing/by-hand/manual-informers.ts'
import { refusingClient } from '../../testing/by-hand/refusing-client.ts'
import type { DisruptionStatus } from '../methods/method.ts'
import { BlockedConditions, conditionMessage, conditionReason } from './disruption-blocked.ts'

const LOOK = 10_000
const MINUTE = 60_000
const WRITES_PER_LOOK = 50

const dear = (closest: number): Blocker => ({ code: 'price.not-cheaper', price: 0.2, closest })
const pdb: Blocker = { code: 'pdb.blocks', pod: 'shop/web', budget: 'shop/keep' }
const settling: Blocker = { code: 'node.not-consolidatable' }
const going: Blocker = { code: 'command.queued' }

const HEALTHY = ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => condition(type))

/** Has claims in an informer and counts the writes to them. Tests report the status of the claims every ten seconds. */
class Board {
  readonly clock = new VirtualClock()
  readonly informers = new ManualInformers()
  writes = 0
  conflicts = 0
  blocked = this.#make()
  #queue: string[] = []
  #controller = this.#start()

  #make(): BlockedConditions {
    const patch = (async (_kind: unknown, { name }: { name: string }, { body }: { body: Partial<NodeClaim> }) => {
      if (this.conflicts > 0) {
        this.conflicts--
        throw new ApiError({ code: 409, reason: 'Conflict', message: 'somebody was faster' })
      }
      this.writes++
      this.put({ ...this.claim(name), status: { ...this.claim(name).status, ...body.status } } as NodeClaim)
    }) as never
    const { clock, informers } = this
    return new BlockedConditions({ client: refusingClient({ patch }), clock, informers })
  }

  #start() {
    const controller = this.blocked.controller()
    controller.subscribe?.((name) => this.#queue.push(name))
    return controller
  }

  /** Simulates a restart: replaces the object under test with a new one, which has no state. */
  restart(): void {
    this.blocked = this.#make()
    this.#controller = this.#start()
  }

  put(claim: NodeClaim): void {
    this.informers.put(karpenterKinds.NodeClaim, claim)
  }

  claim(name: string): NodeClaim {
    const claim = this.informers.of(karpenterKinds.NodeClaim).get(name)
    if (claim === undefined) throw new Error(`there is no ${name}`)
    return claim
  }

  reported(name: string) {
    return findCondition(this.claim(name), DISRUPTION_BLOCKED)
  }

  /** Reports the statuses once and returns the number of writes. */
  async look(standings: ReadonlyMap<string, DisruptionStatus>): Promise<number> {
    const before = this.writes
    await this.clock.runUntil(this.clock.now() + LOOK)
    this.blocked.report(Array.from(standings, ([name, standing]) => [{ claim: this.claim(name) }, standing] as const))
    for (const name of this.#queue.splice(0)) {
      await this.#controller.reconcile(name, new AbortController().signal)
    }
    return this.writes - before
  }

  /** Reports the same status of one claim every ten seconds, for `span` milliseconds. */
  async hold(name: string, standing: DisruptionStatus, span: number): Promise<void> {
    for (let left = span; left > 0; left -= LOOK) await this.look(new Map([[name, standing]]))
  }
}

const boardWith = (...names: readonly string[]): Board => {
  const board = new Board()
  for (const name of names) board.put(nodeClaim(name, { conditions: HEALTHY }))
  return board
}

describe('the kerf.sh/DisruptionBlocked condition', () => {
  test('is written after a minute, with reason, numbers and remedy, and does not change Ready', async () => {
    const board = boardWith('a')
    await board.hold('a', dear(0.25), MINUTE)
    expect(board.reported('a')).toBeUndefined()
    await board.hold('a', dear(0.25), LOOK)
    expect(board.reported('a')).toMatchObject({
      status: 'True',
      reason: 'PriceNotCheaper',
      message:
        "Can't replace with a cheaper node. What would change it: an offering below $0.2000 an hour; the closest costs $0.2500",
    })
    expect(board.claim('a').status?.conditions?.at(-1)?.type).toBe('Ready')
  })

  test('nextCheck is the time when a reason will have lasted long enough, or infinite', async () => {
    const board = boardWith('a')
    expect(board.blocked.nextCheck).toBe(Number.POSITIVE_INFINITY)
    await board.hold('a', dear(0.25), LOOK)
    const due = board.clock.now() + MINUTE
    expect(board.blocked.nextCheck).toBe(due)
    await board.hold('a', dear(0.25), MINUTE)
    expect(board.blocked.nextCheck).toBe(due)
    await board.hold('a', dear(0.25), LOOK)
    expect(board.blocked.nextCheck).toBe(Number.POSITIVE_INFINITY)
    await board.hold('a', dear(0.3), LOOK)
    expect(board.blocked.nextCheck).toBe(board.clock.now() + 10 * MINUTE)
  })

  test('is removed if the node may be disrupted, and changes if the reason changes', async () => {
    const board = boardWith('a')
    await board.hold('a', dear(0.25), 2 * MINUTE)
    await board.hold('a', pdb, 2 * MINUTE)
    expect(board.reported('a')?.reason).toBe('PdbBlocks')
    await board.hold('a', 'disruptable', 2 * MINUTE)
    expect(board.reported('a')).toBeUndefined()
    expect(board.writes).toBe(3)
  })

  test.each<[string, Blocker]>([
    ['NodeNotConsolidatable', settling],
    ['NodeNominated', { code: 'node.nominated', until: 0 }],
    ['NodeUninitialized', { code: 'node.uninitialized' }],
    ['MovesUndone', { code: 'moves.undone', pools: ['general'], until: 0 }],
  ])('blockers that end without an action are written only after five minutes: %s', async (reason, passing) => {
    const board = boardWith('a')
    // Each report gets a new object, because the message is cached per blocker object.
    const fresh = { ...passing }
    await board.hold('a', dear(0.25), 2 * MINUTE)
    await board.hold('a', fresh, 4 * MINUTE)
    expect(board.reported('a')?.reason).toBe('PriceNotCheaper')
    await board.hold('a', fresh, 2 * MINUTE)
    expect(board.reported('a')?.reason).toBe(reason)
  })

  test('a changed message is written after it has lasted long enough, or after an hour of changes', async () => {
    const board = boardWith('a')
    await board.hold('a', dear(0.25), 2 * MINUTE)
    await board.hold('a', dear(0.24), 9 * MINUTE)
    expect(board.reported('a')?.message).toContain('0.2500')
    await board.hold('a', dear(0.24), 2 * MINUTE)
    expect(board.reported('a')?.message).toContain('0.2400')
    expect(board.writes).toBe(2)
    for (let look = 0; look < 59 * 6; look++) await board.look(new Map([['a', dear(0.3 + look / 10_000)]]))
    expect(board.writes).toBe(2)
    for (let look = 0; look < 3 * 6; look++) await board.look(new Map([['a', dear(0.4 + look / 10_000)]]))
    expect(board.writes).toBe(3)
  })

  test('an unknown status writes nothing, and neither does a node that is being disrupted', async () => {
    const board = boardWith('a')
    await board.hold('a', dear(0.25), 2 * MINUTE)
    await board.hold('a', 'unknown', 20 * MINUTE)
    await board.hold('a', going, 20 * MINUTE)
    expect(board.reported('a')?.reason).toBe('PriceNotCheaper')
    board.put(nodeClaim('a', { conditions: [condition('DisruptionReason'), ...HEALTHY] }))
    await board.hold('a', pdb, 20 * MINUTE)
    expect(board.reported('a')).toBeUndefined()
    expect(board.writes).toBe(1)
  })

  test('a write that failed with a conflict is repeated at the next report', async () => {
    const board = boardWith('a')
    board.conflicts = 1
    await board.hold('a', pdb, 2 * MINUTE)
    expect(board.reported('a')?.reason).toBe('PdbBlocks')
    expect(board.writes).toBe(1)
  })

  test('a restarted process finds all conditions up to date and writes nothing', async () => {
    const board = boardWith('a')
    await board.hold('a', pdb, 2 * MINUTE)
    board.restart()
    await board.hold('a', pdb, 60 * MINUTE)
    expect(board.writes).toBe(1)
  })

  test('every blocker code maps to a valid condition reason', () => {
    expect(conditionReason('min-values.unmet')).toBe('MinValuesUnmet')
    expect(conditionReason('pod.do-not-disrupt')).toMatch(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
  })

  test('a message is truncated if it names many pods', () => {
    const pods = Array.from({ length: 100 }, (_, index) => ({ pod: `shop/p${index}`, why: 'x'.repeat(900) }))
    expect(conditionMessage({ code: 'pods.unschedulable', pods }).length).toBeLessThanOrEqual(1_000)
  })
})

describe('the number of writes', () => {
  const standing = fc.constantFrom<DisruptionStatus>(
    pdb,
    dear(0.25),
    dear(0.3),
    settling,
    going,
    'disruptable',
    'unknown',
  )

  test('if 1,000 nodes change at once, each report writes fifty claims, each claim once, until all are written', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `n${index}`)
    const board = boardWith(...names)
    const standings = new Map<string, DisruptionStatus>(names.map((name) => [name, dear(0.25)]))
    let looks = 0
    let most = 0
    for (; board.writes < names.length && looks < 200; looks++) most = Math.max(most, await board.look(standings))
    expect([board.writes, most]).toEqual([names.length, WRITES_PER_LOOK])
    for (let look = 0; look < 20; look++) await board.look(standings)
    expect(board.writes).toBe(names.length)
  })

  test('a lasting reason is written at most once, whatever statuses came before', async () => {
    const count = 8
    const names = Array.from({ length: count }, (_, index) => `n${index}`)
    const look = fc.array(standing, { minLength: count, maxLength: count })
    await fc.assert(
      fc.asyncProperty(fc.array(look, { maxLength: 60 }), look, async (looks, last) => {
        const board = boardWith(...names)
        const asMap = (row: readonly DisruptionStatus[]) =>
          new Map(names.map((name, at) => [name, row[at] ?? 'unknown']))
        for (const row of looks) await board.look(asMap(row))
        const before = board.writes
        for (let at = 0; at < 80; at++) await board.look(asMap(last))
        const settled = board.writes
        expect(settled - before).toBeLessThanOrEqual(count)
        for (let at = 0; at < 80; at++) await board.look(asMap(last))
        expect(board.writes).toBe(settled)
        for (const [name, said] of asMap(last)) {
          if (said === 'disruptable') expect(board.reported(name)).toBeUndefined()
          else if (said !== 'unknown' && said !== going)
            expect(board.reported(name)?.reason).toBe(conditionReason(said.code))
          expect(isConditionTrue(board.claim(name), 'Ready')).toBe(true)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('reasons that change with every report are never written', async () => {
    const board = boardWith('a')
    for (let at = 0; at < 400; at++) await board.look(new Map([['a', at % 2 === 0 ? pdb : dear(0.25)]]))
    expect(board.writes).toBe(0)
  })
})
