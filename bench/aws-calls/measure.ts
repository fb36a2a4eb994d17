import type { FakeAws } from '@kerf/provider-aws/testing'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { smallAws, startKerfOnFakeAws } from '../../test/aws/kerf-on-fake-aws.ts'
import { installCrds } from '../../test/story/story-cluster.ts'
import { settledNodes } from './settled-nodes.ts'

const MINUTE = 60_000
/** The hour begins when what a start does is over: garbage collection is eager for its first 20 rounds. */
const SETTLED = 10 * MINUTE
const HOUR = 60 * MINUTE
const STEP = 1_000

export interface CallCounts {
  readonly firstMinute: ReadonlyMap<string, number>
  readonly steadyHour: ReadonlyMap<string, number>
  /** Requests that AWS refused because of its limits. */
  readonly refused: number
}

/** What Kerf asks of AWS on a cluster with so many nodes, from its start on, in virtual time. */
export const measureCalls = async (nodes: number): Promise<CallCounts> => {
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
  const aws: FakeAws = smallAws(clock)
  const booted = await settledNodes(client, aws, clock, nodes)
  const start = clock.monotonic()
  const running = startKerfOnFakeAws({ client, hands: client, aws, clock, random, booted }, { isMeasured: false })
  const pass = async (time: number): Promise<void> => {
    for (let gone = 0; gone < time; gone += STEP) await clock.advance(STEP)
  }
  await pass(SETTLED)
  const kerf = await running
  await pass(HOUR)
  const { requests } = aws
  const stop = kerf.stop()
  await clock.advance(30_000)
  await stop
  const from = start + SETTLED
  return {
    firstMinute: requests.counts({ since: start, until: start + MINUTE }),
    steadyHour: requests.counts({ since: from, until: from + HOUR }),
    refused: requests.made.filter(({ isRefused }) => isRefused).length,
  }
}
