import { propertyRuns } from '@kerf/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isGoing, machineHolders } from '../machines/holders.ts'
import { type Disturbance, ReplicasHarness } from '../testing/replicas-harness.ts'
import { VERIFY_WITHIN } from './deletion.ts'
import { machineSetLayout } from './machine-sets.ts'

const COMMANDS = [
  'claim', 'claim', 'create', 'create', 'create', 'end', 'drop', 'drop', 'drop', 'surplus', 'surplus', 'scale',
  'controllers', 'controllers', 'controllers', 'balance', 'finish', 'boot', 'time',
  'hand-delete', 'others-up', 'others-down', 'template', 'fail', 'linger',
] as const // biome-ignore format: a table of weights
type Command = (typeof COMMANDS)[number]

const BETWEEN: readonly Command[] = [
  'claim',
  'controllers',
  'balance',
  'hand-delete',
  'others-up',
  'template',
  'boot',
  'fail',
]

/**
 * After this many consecutive rounds without a change, the run counts as settled. A mark is evaluated within fewer rounds. One round takes
 * `VERIFY_WITHIN`.
 */
const STILL_ROUNDS = 4
const MOST_ROUNDS = 120

interface Move {
  readonly command: Command
  readonly between: Command | undefined
  readonly index: number
  readonly crash: boolean
  readonly forgets: boolean
}

const moves = fc.array(
  fc.record<Move>({
    command: fc.constantFrom(...COMMANDS),
    between: fc.option(fc.constantFrom(...BETWEEN), { nil: undefined, freq: 3 }),
    index: fc.nat(97),
    crash: fc.boolean(),
    forgets: fc.boolean(),
  }),
  { maxLength: 60 },
)

/** One run of random moves. Tracks the replicas that others requested, without relying on Kerf's annotation. */
class Run {
  readonly harness: ReplicasHarness
  ofOthers: number
  downs = 0
  readonly handDeleted = new Set<string>()
  readonly #allowDown: boolean

  constructor(strategy: 'OnDelete' | 'RollingUpdate', ofOthers: number, allowDown: boolean) {
    this.harness = new ReplicasHarness(strategy, ofOthers)
    this.ofOthers = ofOthers
    this.#allowDown = allowDown
  }

  play(move: Move): void {
    const { between } = move
    const disturbance: Disturbance = {
      ...move,
      between: () =>
        between !== undefined && this.#act(between, move, { crash: false, forgets: false, between: () => undefined }),
    }
    this.#act(move.command, move, disturbance)
  }

  #act(command: Command, move: Move, disturbance: Disturbance): void {
    const { harness } = this
    const { model } = harness
    const chosen = <T>(list: readonly T[]): T | undefined => list[move.index % Math.max(1, list.length)]
    const claim = chosen(harness.claims.filter((other) => !other.deleting))
    const ended = chosen(harness.claims.filter((other) => other.deleting))
    const machine = chosen(model.machines)
    const actions: Readonly<Record<Command, () => void>> = {
      claim: () => harness.claims.length < 8 && harness.addClaim(),
      create: () => claim !== undefined && harness.create(claim, disturbance),
      end: () => claim !== undefined && Object.assign(claim, { deleting: true }),
      drop: () => ended !== undefined && harness.end(ended, disturbance),
      surplus: () => harness.surplus(disturbance),
      scale: () => harness.scale(disturbance),
      controllers: () => harness.controllers((below) => (move.index * 7919) % below),
      balance: () => model.balance(),
      finish: () => model.finish(),
      boot: () => model.boot(),
      time: () => Object.assign(harness, { now: harness.now + VERIFY_WITHIN / 2 }),
      'hand-delete': () => machine !== undefined && this.#byHand(machine.name),
      'others-up': () => this.#scale(1),
      'others-down': () => this.#allowDown && model.deployment.replicas > 0 && this.#scale(-1),
      template: () => model.sets.length < 4 && model.changeTemplate(),
      linger: () => {
        for (const each of model.machines) Object.assign(each, { lingering: each.deleting })
      },
      fail: () => machine !== undefined && !machine.registered && Object.assign(machine, { failed: true }),
    }
    actions[command]()
  }

  #byHand(name: string): void {
    this.handDeleted.add(name)
    this.harness.model.remove(name)
  }

  #scale(by: 1 | -1): void {
    if (by > 0) this.ofOthers++
    else this.downs++
    this.harness.model.scale(by)
  }

  /** Creates NodeClaims with Machines, then a new template and one more claim, because random actions rarely produce two full sets. */
  warmUp(claims: number, rollout: boolean): void {
    for (let i = 0; i < claims; i++) this.harness.addClaim()
    if (rollout) this.#calm()
    if (rollout) this.harness.model.changeTemplate()
    if (rollout) this.harness.addClaim()
    this.#calm()
  }

  #calm(): void {
    for (let round = 0; round < 5; round++) {
      for (const claim of this.harness.claims) this.harness.create(claim)
      this.harness.controllers(() => 0)
      this.harness.model.boot()
    }
  }

  /** Deletes failed Machines, like a MachineHealthCheck. Otherwise, a failed Machine blocks a rolling update forever. */
  remediate(): void {
    for (const machine of this.harness.model.machines) if (machine.failed) machine.deleting = true
  }

  /**
   * Runs only Kerf and the controllers until nothing changes. Then a user completes the rollout by deleting the Machines of old sets, a
   * MachineHealthCheck deletes failed ones, and Kerf and the controllers run again until nothing changes.
   */
  settle(): void {
    this.#untilStill(() => undefined)
    const newest = this.harness.model.sets.at(-1)?.name
    for (const machine of this.harness.model.machines.filter((m) => m.set !== newest)) this.#byHand(machine.name)
    this.#untilStill(() => this.harness.model.deployment.strategy === 'RollingUpdate' && this.remediate())
  }

  /**
   * Runs rounds until several consecutive rounds changed nothing. One round is not enough, because a mark without effect is evaluated
   * later.
   */
  #untilStill(each: () => void): void {
    for (let round = 0, still = 0; still < STILL_ROUNDS; round++) {
      if (round === MOST_ROUNDS) throw new Error(`not at rest after ${MOST_ROUNDS} rounds`)
      const before = this.#picture()
      each()
      this.#round(round)
      still = this.#picture() === before ? still + 1 : 0
    }
  }

  #picture(): string {
    const { model, claims } = this.harness
    return JSON.stringify([model.deployment, model.sets, model.machines, claims])
  }

  #round(round: number): void {
    const { harness } = this
    for (const claim of [...harness.claims]) {
      if (claim.deleting) harness.end(claim)
      else harness.create(claim)
    }
    harness.surplus()
    harness.scale()
    harness.controllers((below) => round % below)
    harness.model.finish()
    harness.model.boot()
    harness.now += VERIFY_WITHIN
  }
}

const expectSettled = (run: Run): void => {
  const state = run.harness.state()
  const holders = machineHolders(state)
  const held = state.machines.filter((machine) => holders.get(machine.name)?.kind === 'claim')
  expect(new Set(held.map((machine) => machine.claimUid))).toEqual(new Set(state.claims.map((claim) => claim.uid)))
  expect(state.claims.map((claim) => claim.machine).sort()).toEqual(held.map((machine) => machine.name).sort())
  expect(machineSetLayout(state).kind).toBe('one')
  expect(state.machines.filter(isGoing)).toEqual([])
  expect(state.machines.length - held.length).toBe(state.deployment.ofOthers)
  expect(state.deployment.replicas).toBe(state.machines.length)
}

describe('any interleaving of creates, deletes, crashes, rollouts and scaling by others', () => {
  test('deletes no Machines of others, leaves none behind, and gives every claim one Machine', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), fc.boolean(), moves, (ofOthers, claims, rollout, list) => {
        const run = new Run('OnDelete', ofOthers, false)
        const before = run.harness.state().machines.map((machine) => machine.name)
        run.harness.scale()
        run.warmUp(claims, rollout)
        for (const move of list) run.play(move)
        const withoutRollout = run.harness.model.sets.length === 1
        run.settle()
        expect(run.harness.wrongs).toEqual([])
        expectSettled(run)
        expect(run.harness.state().deployment.ofOthers).toBe(run.ofOthers)
        const left = new Map(run.harness.state().machines.map((machine) => [machine.name, machine]))
        const untouched = before.filter((name) => !run.handDeleted.has(name))
        if (withoutRollout && run.handDeleted.size === 0)
          expect(untouched.filter((name) => !left.has(name))).toEqual([])
      }),
      { seed: 17, numRuns: propertyRuns(500) },
    )
  })

  test('also ends correctly if others scale down: Cluster API chooses a Machine at most as often as others scaled down', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), fc.boolean(), moves, (ofOthers, claims, rollout, list) => {
        const run = new Run('OnDelete', ofOthers, true)
        run.harness.scale()
        run.warmUp(claims, rollout)
        for (const move of list) run.play(move)
        run.settle()
        expect(run.harness.wrongs.length).toBeLessThanOrEqual(run.downs)
        expectSettled(run)
      }),
      { seed: 18, numRuns: propertyRuns(500) },
    )
  })

  test('also ends correctly with RollingUpdate, in which a rollout replaces Machines', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), fc.boolean(), moves, (ofOthers, claims, _, list) => {
        const run = new Run('RollingUpdate', ofOthers, false)
        run.harness.scale()
        run.warmUp(claims, false)
        for (const move of list) run.play(move)
        const rolled = run.harness.model.sets.length > 1
        run.settle()
        if (!rolled) expect(run.harness.wrongs).toEqual([])
        expectSettled(run)
        expect(run.harness.state().deployment.ofOthers).toBe(run.ofOthers)
      }),
      { seed: 19, numRuns: propertyRuns(500) },
    )
  })
})
