import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { type Counts, MINUTE, type PeriodCounts } from '../../../tests/benchmarks/call-counts.ts'
import { installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { smallAws, startKerfOnFakeAws } from '../tests/kerf-on-fake-aws.ts'
import { settledNodes } from './settled-nodes.ts'

const STEP = 1_000

/** The number of calls to AWS, by `service:Action`. */
export interface CallCounts extends PeriodCounts {
  /** Requests that AWS throttled. */
  readonly refused: number
}

/** How long another Kerf process runs before the measured one, until conditions, hashes and the status of the node class stop changing. */
const EARLIER = 3 * MINUTE

/**
 * Counts Kerf's calls to AWS on an idle cluster with this many nodes, in virtual time. One count covers the first minute after a restart.
 * The other covers a period of length `steady`, which begins `settled` milliseconds after the restart.
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
  // Kerf runs without metrics and events of objects. They cause no calls to AWS, but with thousands of objects they would dominate the run
  // time of the benchmark.
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
