import type { CloudDraws } from './cloud-draws.ts'
import { cloudDraws } from './cloud-names.ts'
import type { Randomness } from './randomness.ts'
import type { Action, Fault, SimulatedRun, StepContent } from './simulated-run.ts'

const WATCHED = ['pods', 'nodes', 'nodeclaims', 'nodepools', 'poddisruptionbudgets'] as const

const drawFailedCall = (randomness: Randomness): Fault => ({
  kind: 'call',
  skip: randomness.between(0, 60),
  times: randomness.of([1, 1, 3, 10]),
  when: randomness.of(['before', 'after']),
  failure: randomness.of(['conflict', 'throttled', 'error', 'timeout', 'unreachable', 'slow']),
  writes: randomness.happens(0.6),
})

const drawCrash = (randomness: Randomness): Fault => ({
  kind: 'call',
  skip: randomness.between(0, 40),
  times: 1,
  when: randomness.of(['before', 'after']),
  failure: 'crash',
  writes: randomness.happens(0.8),
})

const drawOutage = (randomness: Randomness, { names }: CloudDraws): Fault => ({
  kind: 'outage',
  selector: randomness.of([{ capacityType: 'spot' }, { zone: names.zones[0] }, { capacityType: 'on-demand' }, {}]),
  duration: randomness.between(10_000, 120_000),
})

/** Draws a failure of an instance. If instances exist only as Nodes, draws a failure of a node. */
const drawFailedInstance = (randomness: Randomness, { hasOnlyNodes = false }: CloudDraws, pick: number): Fault =>
  !hasOnlyNodes
    ? randomness.of([
        { kind: 'never-registers', count: 1 },
        { kind: 'instance-dies', pick },
        { kind: 'spot-notice', pick },
      ])
    : { kind: 'sick-node', pick, health: 'not-ready', duration: randomness.between(5_000, 120_000) }

const drawSickNode = (randomness: Randomness, pick: number): Fault => ({
  kind: 'sick-node',
  pick,
  health: randomness.of(['not-ready', 'silent']),
  duration: randomness.between(5_000, 120_000),
})

const drawClockJump = (randomness: Randomness): Fault => ({
  kind: 'clock-jump',
  by: randomness.between(-90_000, 90_000),
  duration: randomness.between(5_000, 60_000),
})

const drawCloudCall = (randomness: Randomness): Fault => ({
  kind: 'cloud',
  verb: randomness.of(['run', 'run', 'terminate', 'describe', 'list']),
  skip: randomness.between(0, 3),
  times: randomness.of([1, 3]),
  when: randomness.of(['before', 'after']),
  failure: randomness.of(['throttled', 'error', 'crash']),
})

/** Draws a fault that every cloud can have, except failed cloud calls. */
const drawSharedFault = (
  randomness: Randomness,
  cloud: CloudDraws,
  replicas: SimulatedRun['replicas'],
): Fault | undefined => {
  const pick = randomness.between(0, 99)
  switch (randomness.between(0, 20)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return drawFailedCall(randomness)
    case 4:
    case 5:
    case 6:
      return drawCrash(randomness)
    case 7:
      return { kind: 'watch-lost', plural: randomness.of(WATCHED), expired: randomness.happens(0.5) }
    case 8:
      return { kind: 'watch-lag', plural: randomness.of(WATCHED), duration: randomness.between(1_000, 30_000) }
    case 9:
      return drawOutage(randomness, cloud)
    case 10:
      return drawFailedInstance(randomness, cloud, pick)
    case 11:
      return drawSickNode(randomness, pick)
    case 12:
      return drawClockJump(randomness)
    case 13:
      return { kind: 'hand-over' }
    case 14:
      return cloud.hasOnlyNodes === true ? { kind: 'hand-over' } : { kind: 'never-registers', count: 1 }
    case 15:
      return replicas === 1
        ? { kind: 'hand-over' }
        : { kind: 'lease-unreachable', duration: randomness.between(5_000, 40_000) }
    case 16:
      return { kind: 'slow-detach', duration: randomness.between(20_000, 90_000) }
    case 17:
      return { kind: 'second-instance', duration: randomness.between(500, 15_000) }
    default:
      return undefined
  }
}

/** Draws a fault that every cloud can have, including failed cloud calls. */
export const drawFault = (
  randomness: Randomness,
  { cloud, replicas }: Pick<SimulatedRun, 'cloud' | 'replicas'>,
): Exclude<StepContent, { readonly action: Action }> => {
  const draws = cloudDraws(cloud)
  const fault = drawSharedFault(randomness, draws, replicas)
  if (fault !== undefined) return { fault }
  const own = draws.drawCall?.(randomness)
  return own === undefined ? { fault: drawCloudCall(randomness) } : { own }
}
