import { SeededRandom } from '@kerf/runtime'
import { drawAwsCall, drawAwsTroubles, drawLostFleets } from './aws-troubles.ts'
import { Chance } from './chance.ts'
import type { Course, Doing, Moment, Step, Trouble } from './course.ts'
import { drawBuffer, drawDaemonSets, drawOverlay, storageClass } from './extras.ts'
import { objectOn, placesOf, poolOn } from './places.ts'
import { drawLatePool, drawPools, OPEN_POOL, STATIC_POOL } from './pools.ts'
import { type DrawnWorkload, drawWorkload } from './workloads.ts'

const LIFE: Moment = 6 * 60_000

/** Of all courses: one on AWS takes about twice the time of another. */
const AWS_SHARE = 0.3

const WATCHED = ['pods', 'nodes', 'nodeclaims', 'nodepools', 'poddisruptionbudgets'] as const

/** What people do after the beginning. */
const drawDoing = (
  chance: Chance,
  workloads: readonly DrawnWorkload[],
  pools: readonly string[],
  cloud: Course['cloud'],
): Doing => {
  const scalable = workloads.filter(({ kind }) => kind !== 'Job')
  const some = scalable[chance.between(0, Math.max(0, scalable.length - 1))]
  const pick = chance.between(0, 99)
  switch (chance.between(0, 13)) {
    case 0:
    case 1:
    case 2:
    case 3:
      if (some === undefined || some.kind === 'Job') return { kind: 'delete-pod', pick }
      return { kind: 'scale', workload: some.kind, name: some.name, replicas: chance.between(0, 9) }
    case 4:
      return { kind: 'delete-node', pick }
    case 5:
      return { kind: 'delete-claim', pick }
    case 6:
      return { kind: 'cordon', pick }
    case 7:
      return { kind: 'apply', object: objectOn(cloud, drawLatePool(chance)) }
    case 8:
      return { kind: 'change-pool', name: OPEN_POOL, spec: drawPoolChange(chance) }
    case 9: {
      const guarded = workloads.filter(({ budget }) => budget !== undefined)
      const target = guarded[chance.between(0, Math.max(0, guarded.length - 1))]
      if (target === undefined) return { kind: 'delete-pod', pick }
      return { kind: 'change-pdb', name: target.name, spec: { maxUnavailable: chance.between(0, 2) } }
    }
    case 10:
      return { kind: 'apply', object: drawWorkload(chance, `extra-${pick}`, pools).object }
    case 11:
      return { kind: 'apply', object: drawOverlay(chance, placesOf(cloud)) }
    case 12:
      if (!pools.includes(STATIC_POOL)) return { kind: 'delete-pod', pick }
      return { kind: 'change-pool', name: STATIC_POOL, spec: { replicas: chance.between(0, 3) } }
    default:
      return { kind: 'delete-pod', pick }
  }
}

const drawPoolChange = (chance: Chance): object =>
  chance.of([
    { template: { metadata: { labels: { release: String(chance.between(1, 9)) } } } },
    { weight: chance.between(1, 90) },
    { disruption: { consolidateAfter: '20s' } },
  ])

const drawTrouble = (chance: Chance, { cloud, replicas }: Pick<Course, 'cloud' | 'replicas'>): Trouble => {
  const pick = chance.between(0, 99)
  switch (chance.between(0, 20)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return {
        kind: 'call',
        skip: chance.between(0, 60),
        times: chance.of([1, 1, 3, 10]),
        when: chance.of(['before', 'after']),
        strike: chance.of(['conflict', 'throttled', 'error', 'timeout', 'unreachable', 'slow']),
        writes: chance.happens(0.6),
      }
    case 4:
    case 5:
    case 6:
      return {
        kind: 'call',
        skip: chance.between(0, 40),
        times: 1,
        when: chance.of(['before', 'after']),
        strike: 'crash',
        writes: chance.happens(0.8),
      }
    case 7:
      return { kind: 'watch-lost', plural: chance.of(WATCHED), expired: chance.happens(0.5) }
    case 8:
      return { kind: 'watch-lag', plural: chance.of(WATCHED), span: chance.between(1_000, 30_000) }
    case 9:
      return {
        kind: 'outage',
        selector: chance.of([
          { capacityType: 'spot' },
          { zone: placesOf(cloud).zones[0] },
          { capacityType: 'on-demand' },
          {},
        ]),
        span: chance.between(10_000, 120_000),
      }
    case 10:
      return cloud !== 'kwok'
        ? chance.of([
            { kind: 'never-registers', count: 1 },
            { kind: 'machine-dies', pick },
            { kind: 'spot-notice', pick },
          ])
        : { kind: 'sick-node', pick, health: 'not-ready', span: chance.between(5_000, 120_000) }
    case 11:
      return {
        kind: 'sick-node',
        pick,
        health: chance.of(['not-ready', 'silent']),
        span: chance.between(5_000, 120_000),
      }
    case 12:
      return { kind: 'clock-jump', by: chance.between(-90_000, 90_000), span: chance.between(5_000, 60_000) }
    case 13:
      return { kind: 'hand-over' }
    case 14:
      return cloud !== 'kwok' ? { kind: 'never-registers', count: 1 } : { kind: 'hand-over' }
    case 15:
      return replicas === 1 ? { kind: 'hand-over' } : { kind: 'lease-unreachable', span: chance.between(5_000, 40_000) }
    case 16:
      return { kind: 'slow-detach', span: chance.between(20_000, 90_000) }
    case 17:
      return { kind: 'second-instance', span: chance.between(500, 15_000) }
    default:
      if (cloud === 'aws') return drawAwsCall(chance)
      return {
        kind: 'cloud',
        verb: chance.of(['run', 'run', 'terminate', 'describe', 'list']),
        skip: chance.between(0, 3),
        times: chance.of([1, 3]),
        when: chance.of(['before', 'after']),
        strike: chance.of(['throttled', 'error', 'crash']),
      }
  }
}

/** A watch that lags from the first launches on: what Kerf has made must not be forgotten meanwhile. */
const drawLag = (chance: Chance): readonly { at: Moment; trouble: Trouble }[] =>
  chance.happens(0.1)
    ? [
        {
          at: chance.between(0, 15_000),
          trouble: { kind: 'watch-lag', plural: 'nodeclaims', span: chance.between(20_000, 30_000) },
        },
      ]
    : []

/**
 * The evening: everything shrinks to a pod each, and the pool that takes every plain pod may close what it likes. What is
 * left has room on fewer nodes.
 */
const drawEvening = (chance: Chance, workloads: readonly DrawnWorkload[]): readonly { at: Moment; doing: Doing }[] => {
  if (!chance.happens(0.2)) return []
  const disruption = {
    consolidationPolicy: 'WhenEmptyOrUnderutilized',
    consolidateAfter: '15s',
    budgets: [{ nodes: '100%' }],
  }
  return [
    { at: LIFE, doing: { kind: 'change-pool', name: OPEN_POOL, spec: { disruption } } },
    ...workloads.flatMap(({ kind, name }) =>
      kind === 'Job' ? [] : [{ at: LIFE, doing: { kind: 'scale', workload: kind, name, replicas: 1 } as const }],
    ),
  ]
}

/** The course that a seed stands for. */
export const drawCourse = (seed: number): Course => {
  const random = new SeededRandom(`course-${seed}`)
  const chance = new Chance(random.fork('cluster'))
  const simulated = chance.of(['machines', 'machines', 'kwok'])
  const aws = new Chance(random.fork('aws'))
  const cloud = aws.happens(AWS_SHARE) ? 'aws' : simulated
  const replicas = chance.happens(0.3) ? 2 : 1
  const pools = drawPools(chance).map((pool) => poolOn(cloud, pool))
  const names = pools.map(({ metadata }) => metadata.name ?? '')
  const workloads = Array.from({ length: chance.between(2, 4) }, (_, index) =>
    drawWorkload(chance, `app-${index}`, names),
  )
  const extras = new Chance(random.fork('extras'))
  const objects = [storageClass, ...drawDaemonSets(extras), ...drawBuffer(extras)]
  const people: { at: Moment; doing: Doing }[] = workloads.flatMap(({ object, budget }) => {
    const at = chance.between(0, 20_000)
    return [object, ...(budget === undefined ? [] : [budget])].map((each) => ({
      at,
      doing: { kind: 'apply', object: each } as const,
    }))
  })
  const doings = new Chance(random.fork('people'))
  for (let count = doings.between(3, 9); count > 0; count--) {
    people.push({ at: doings.between(20_000, LIFE), doing: drawDoing(doings, workloads, names, cloud) })
  }
  people.push(...drawEvening(new Chance(random.fork('evening')), workloads))
  const troubles = new Chance(random.fork('troubles'))
  const faults: { at: Moment; trouble: Trouble }[] = Array.from({ length: troubles.between(2, 9) }, () => ({
    at: troubles.between(1_000, LIFE),
    trouble: drawTrouble(troubles, { cloud, replicas }),
  }))
  if (cloud === 'aws') {
    faults.push(...drawAwsTroubles(aws, LIFE))
    const lost = drawLostFleets(aws)
    if (lost !== undefined) faults.push(lost)
    // Somebody deletes a claim of which nobody knows whether it was launched.
    if (lost !== undefined && aws.happens(0.5)) {
      const pick = aws.between(0, 99)
      people.push({ at: lost.at + aws.between(5_000, 30_000), doing: { kind: 'delete-claim', pick } })
    }
  }
  faults.push(...drawLag(new Chance(random.fork('lag'))))
  const steps: Step[] = [
    ...people.sort((a, b) => a.at - b.at).map((each, index) => ({ id: `e${index}`, by: 'people' as const, ...each })),
    ...faults.sort((a, b) => a.at - b.at).map((each, index) => ({ id: `f${index}`, by: 'chance' as const, ...each })),
  ]
  return { seed, cloud, replicas, objects, pools, steps: steps.sort((a, b) => a.at - b.at), healedAt: LIFE + 120_000 }
}
