// npm run sim [-- --seeds N] [--from S] [--cloud C|others] [--expected-pods] [--seed S [--only e1,f2] [--trace]] [--workers W]
import { availableParallelism } from 'node:os'
import { programOptions } from '../../tools/program-options.ts'
import { explainFailure, makeRun } from './replay.ts'
import { CLOUDS, UNDRAWN } from './runs/cloud-names.ts'
import { seedsOn } from './runs/draw-run.ts'
import type { CloudName } from './runs/simulated-run.ts'
import { type Outcome, simulate } from './simulate.ts'
import { playAll } from './workers/pool.ts'

const MOST_EXPLAINED = 3
/** The value of `--cloud` that selects every cloud that no seed selects. */
const OTHERS = 'others'

/** How often the progress is logged if the output is not a terminal, in milliseconds. */
const LOG_INTERVAL = 30_000

const { values } = programOptions(
  'npm run sim: plays random stories, each with crashes and faults of its cloud, in virtual time, and checks what must always hold. tests/simulation/how-it-works.md explains the rest.',
  {
    options: {
      seeds: { type: 'string', default: '100' },
      from: { type: 'string', default: '1' },
      cloud: { type: 'string' },
      'expected-pods': { type: 'boolean', default: false },
      seed: { type: 'string' },
      only: { type: 'string' },
      trace: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(Math.min(8, availableParallelism())) },
    },
  },
)

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const whole = (name: 'seeds' | 'from' | 'seed' | 'workers', text: string): number => {
  if (/^\d+$/.test(text)) return Number(text)
  print(`--${name} takes a whole number, not ${JSON.stringify(text)}`)
  return process.exit(2)
}

/** Checks the name of the cloud to run on. */
const named = (text: string | undefined): CloudName | undefined => {
  const cloud = CLOUDS.find((each) => each === text)
  if (cloud !== undefined || text === undefined) return cloud
  print(
    `--cloud takes one of ${CLOUDS.join(', ')}, or ${OTHERS} for each cloud that no seed selects, not ${JSON.stringify(text)}`,
  )
  return process.exit(2)
}

const clouds = values.cloud === OTHERS && values.seed === undefined ? UNDRAWN : [named(values.cloud)]

const one = async (seed: number, cloud: CloudName | undefined): Promise<number> => {
  const run = makeRun(seed, values.only?.split(','), cloud)
  const { violation, duration, restarts, claims } = await simulate(run, values.trace ? print : undefined)
  if (violation === undefined) {
    print(
      `seed ${seed} holds: ${run.steps.length} steps, ${(duration / 60_000).toFixed(0)} min of virtual time, ${claims} launches, ${restarts} restarts`,
    )
    return 0
  }
  print(
    `seed ${seed} violates ${violation.invariant} after ${(violation.at / 1_000).toFixed(3)} s: ${violation.problem}`,
  )
  return 1
}

const many = async (first: number, count: number, cloud: CloudName | undefined): Promise<number> => {
  const seeds = seedsOn(cloud, { first, count, expectsPods: values['expected-pods'] })
  print(
    `seeds ${first} to ${seeds.at(-1)}${cloud === undefined ? '' : ` on ${cloud}`}${values['expected-pods'] ? ' with PLAN_EXPECTED_PODS=on' : ''}`,
  )
  const begun = performance.now()
  let logged = begun
  const outcomes: Outcome[] = []
  const broken: string[] = []
  await playAll(seeds, {
    workers: whole('workers', values.workers),
    ...(cloud === undefined ? {} : { cloud }),
    onAnswer: (answer) => {
      if (answer.kind === 'broken') broken.push(`seed ${answer.seed} broke the simulation itself: ${answer.message}`)
      else {
        outcomes.push(answer.outcome)
        // The violation is printed immediately. The shortened runs follow at the end.
        const { seed, violation } = answer.outcome
        if (violation !== undefined) print(`seed ${seed} violates ${violation.invariant}: ${violation.problem}`)
      }
      const played = outcomes.length + broken.length
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${played} of ${count} seeds`)
      else if (performance.now() - logged >= LOG_INTERVAL) {
        logged = performance.now()
        process.stderr.write(`${played} of ${count} seeds\n`)
      }
      return 'go on'
    },
  })
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K')
  const failed = outcomes.filter(({ violation }) => violation !== undefined).sort((a, b) => a.seed - b.seed)
  for (const outcome of failed.slice(0, MOST_EXPLAINED)) print(await explainFailure(outcome))
  for (const text of broken) print(text)
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, outcome) => total + of(outcome), 0)
  print(
    `${count - failed.length - broken.length} of ${count} seeds hold: ${(sum(({ duration }) => duration) / 3_600_000).toFixed(0)} h of virtual time, ${sum(({ claims }) => claims)} launches, ${sum(({ restarts }) => restarts)} restarts, in ${((performance.now() - begun) / 1_000).toFixed(0)} s`,
  )
  const causes = new Map<string, number>()
  for (const outcome of outcomes)
    for (const [cause, times] of Object.entries(outcome.causes)) causes.set(cause, (causes.get(cause) ?? 0) + times)
  const byNumber = [...causes].sort(([, a], [, b]) => b - a).map(([cause, times]) => `${cause} ${times}`)
  print(`NodeClaims were deleted for these causes: ${byNumber.join(', ') || 'none'}`)
  return failed.length + broken.length
}

let failures = 0
for (const cloud of clouds)
  failures +=
    values.seed === undefined
      ? await many(whole('from', values.from), whole('seeds', values.seeds), cloud)
      : await one(whole('seed', values.seed), cloud)
process.exitCode = failures === 0 ? 0 : 1
