// npm run bench:expected-pods:launches: how long after the creation of a NodeClaim its launch begins, and how many claims of a batching window
// a second pass within the window could still replace, because their launch has not begun. In virtual time, with PLAN_EXPECTED_PODS=on.
import { labels, type Milliseconds } from '@kerf/apis'
import { alteredProvider, createDeployment, createPool, Harness } from '@kerf/controllers/testing'
import { scheduleInSteps } from '@kerf/engine'
import { sleep } from '@kerf/runtime'
import { nodeClassRef } from '@kerf/testing'
import { programOptions } from '../../../tools/program-options.ts'

programOptions('npm run bench:expected-pods:launches: claims that a second pass could replace.', { options: {} })

const ONE_PER_NODE = '3500m'
const LAUNCH_TAKES: Milliseconds = 2_000

interface Result {
  readonly firstLaunch: Milliseconds
  readonly lastLaunch: Milliseconds
  /**
   * How many claims of the first pass had no launch yet when the pods of the second Deployment existed (`waitingAtArrival`), and when the
   * second pass began (`waitingAtPass`).
   */
  readonly waitingAtArrival: number
  readonly waitingAtPass: number
  /** The time from the creation of the second Deployment to the second pass. */
  readonly secondPass: Milliseconds
}

/**
 * Creates `nodes` pods that each need a node, and the same number of further pods `gap` after the first claim. Each request to the API
 * server takes `latency`.
 */
const run = async (nodes: number, gap: Milliseconds, latency: Milliseconds): Promise<Result> => {
  const created = new Map<string, Milliseconds>()
  const begun = new Map<string, Milliseconds>()
  const passes: { readonly at: Milliseconds; readonly waiting: number }[] = []
  const waiting = (): number => created.size - begun.size
  const harness: Harness = await Harness.create({
    cluster: 'whole',
    settings: { planExpectedPods: 'on' },
    registrationDelay: '35s',
    fault: async ({ verb, kind, ref }, when) => {
      if (when === 'before') await sleep(harness.clock, latency)
      else if (verb === 'create' && kind?.kind === 'NodeClaim') created.set(ref?.name ?? '', harness.clock.monotonic())
      return undefined
    },
    provider: (kwok) =>
      alteredProvider(kwok, {
        create: async (claim, signal) => {
          begun.set(claim.metadata.name, harness.clock.monotonic())
          await sleep(harness.clock, LAUNCH_TAKES)
          return await kwok.create(claim, signal)
        },
      }),
    schedule: (snapshot, pods, options) => {
      passes.push({ at: harness.clock.monotonic(), waiting: waiting() })
      return scheduleInSteps(snapshot, pods, options)
    },
  })
  try {
    const requirements = [{ key: labels.instanceType, operator: 'In', values: ['c-4x-amd64-linux'] }] as const
    await createPool(harness, 'general', {
      template: { spec: { nodeClassRef, expireAfter: 'Never', requirements: [...requirements] } },
    })
    await harness.pass(2_000)
    await createDeployment(harness, 'first', nodes, ONE_PER_NODE)
    while (created.size === 0) await harness.pass(1)
    await harness.pass(gap)
    await createDeployment(harness, 'second', nodes, ONE_PER_NODE)
    const arrived = harness.clock.monotonic()
    const waitingAtArrival = waiting()
    const before = passes.length
    while (passes.length === before) await harness.pass(1)
    const delays = [...begun].map(([name, at]) => at - (created.get(name) ?? at))
    const second = passes[before]
    return {
      firstLaunch: Math.min(...delays),
      lastLaunch: Math.max(...delays),
      waitingAtArrival,
      waitingAtPass: second?.waiting ?? Number.NaN,
      secondPass: (second?.at ?? Number.NaN) - arrived,
    }
  } finally {
    harness.stop()
  }
}

process.stdout.write(
  'nodes, gap ms, latency ms: launch begins after ms; claims without a launch at arrival, at the second pass; second pass after ms\n',
)
for (const nodes of [1, 10, 50, 125]) {
  for (const gap of [0, 100, 500]) {
    for (const latency of [5, 20]) {
      const { firstLaunch, lastLaunch, waitingAtArrival, waitingAtPass, secondPass } = await run(nodes, gap, latency)
      process.stdout.write(
        `${nodes}, ${gap}, ${latency}: ${firstLaunch} to ${lastLaunch}; ${waitingAtArrival}, ${waitingAtPass}; ${secondPass}\n`,
      )
    }
  }
}
