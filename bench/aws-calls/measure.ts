import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { smallAws, startKerfOnFakeAws } from '../../test/aws/kerf-on-fake-aws.ts'
import { installCrds } from '../../test/story/story-cluster.ts'
import { type Counts, MINUTE, type PeriodCounts } from '../call-counts.ts'
import { settledNodes } from './settled-nodes.ts'

const STEP = 1_000

/** The calls to AWS, by `service:Action`. */
export interface CallCounts extends PeriodCounts {
  /** Requests that AWS refused because of its limits. */
  readonly refused: number
}

/** How long an earlier Kerf runs, so that the cluster is as one leaves it: conditions, fingerprints, the class's parts. */
const EARLIER = 3 * MINUTE

/**
 * What Kerf asks of AWS on a cluster with so many nodes where nothing is to be done, in virtual time: in the first minute after
 * a restart, and for the time `steady` from `settled` after it on.
 */
export const measureCalls = async (
  nodes: number,
  { settled, steady }: { readonly settled: number; readonly steady: number },
): Promise<CallCounts> => {
  const clock = new VirtualClock({ turns: 2 })
  const random = new SeededRandom(1)
  const cluster = new SandboxCluster({
    clock,
    random: random.fork('cluster'),
    kubelet: false,
    scheduler: false,
    events: false,
  })
  const starting = cluster.start()
  await clock.advance(1_000)
  await starting
  const { client } = cluster
  await installCrds(client)
  const aws = smallAws(clock)
  const booted = await settledNodes(client, aws, clock, nodes)
  const pass = async (time: number): Promise<void> => {
    for (let gone = 0; gone < time; gone += STEP) await clock.advance(STEP)
  }
  // Metrics and events of thousands of objects ask AWS nothing, and take most of the time.
  const startKerf = (name: string) =>
    startKerfOnFakeAws(
      { client, hands: client, aws, clock, random: random.fork(name), booted },
      { settings: { disableClusterStateObservability: true } },
    )
  const end = async (starts: ReturnType<typeof startKerf>, others: () => Promise<void>): Promise<void> => {
    const ended = (async () => {
      const kerf = await starts
      await kerf.stop()
      await kerf.close()
      await others()
    })()
    await pass(30_000)
    await ended
  }
  const earlier = startKerf('earlier')
  await pass(EARLIER)
  await end(earlier, async () => {})
  const start = clock.monotonic()
  const starts = startKerf('kerf')
  await pass(settled + steady)
  await end(starts, () => cluster.stop())
  const counts = (from: number, until: number): Counts =>
    Object.fromEntries(aws.requests.counts({ since: start + from, until: start + until }))
  return {
    firstMinute: counts(0, MINUTE),
    steady: counts(settled, settled + steady),
    refused: aws.requests.made.filter(({ at, isRefused }) => at >= start && isRefused).length,
  }
}
