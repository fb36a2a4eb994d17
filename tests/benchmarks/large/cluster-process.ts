// A child process of run.ts: serves a filled sandbox over HTTP, makes ordinary changes in it, and reports what the measured program did.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { karpenterKinds, kinds } from '@kerf/apis'
import { sleep } from '@kerf/runtime'
import { SandboxServer } from '@kerf/sandbox'
import { Arrivals, type Reaction } from './arrivals.ts'
import { fillCluster } from './filled-cluster.ts'
import { type Changes, OrdinaryChange } from './ordinary-change.ts'
import { countTraffic, type Traffic } from './traffic.ts'

/** The state of the cluster, and measurements of this process. */
export interface ClusterSight {
  readonly nodes: number
  readonly pods: number
  readonly pending: number
  readonly changes: Changes
  readonly traffic: Traffic
  /** How late timers of this process fired since the last report: the 99th percentile, in milliseconds. */
  readonly delay: number
}

/** The responses to the requests of run.ts, by request. */
export interface Responses {
  readonly kubeconfig: string
  readonly sight: ClusterSight
  readonly change: true
  /** Creates one group of arriving pods. */
  readonly arrive: true
  readonly reactions: readonly Reaction[]
}

export interface Question {
  readonly id: number
  readonly ask: keyof Responses
  /** How long to wait for reactions, in milliseconds. */
  readonly limit?: number
}

const [nodes = '5000', pace = '1'] = process.argv.slice(2)
const LEASE_EVERY = 10_000

const traffic = countTraffic()
const cluster = await fillCluster(Number(nodes), LEASE_EVERY / Number(pace), (line) =>
  process.stderr.write(`cluster: ${line}\n`),
)
const server = await SandboxServer.start(cluster.sandbox.api)
const arrivals = new Arrivals(cluster)
const change = new OrdinaryChange(cluster, Number(pace))
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()

const sight = (): ClusterSight => {
  const { informers } = cluster.sandbox
  let pending = 0
  for (const pod of informers.of(kinds.Pod).values()) if (pod.spec.nodeName === undefined) pending++
  const seen = {
    nodes: informers.of(karpenterKinds.NodeClaim).size,
    pods: informers.of(kinds.Pod).size,
    pending,
    changes: { ...change.done },
    traffic: traffic(),
    delay: delay.percentile(99) / 1e6,
  }
  delay.reset()
  return seen
}

const responses: { readonly [Ask in keyof Responses]: (question: Question) => Promise<Responses[Ask]> } = {
  kubeconfig: async () => server.kubeconfig(),
  sight: async () => sight(),
  change: async () => {
    change.start()
    return true
  },
  arrive: async () => {
    await arrivals.group()
    return true
  },
  reactions: async ({ limit = 0 }) => await arrivals.reactions(limit),
}

process.on('message', (question: Question) => {
  responses[question.ask](question).then(
    (response) => process.send?.({ id: question.id, response }),
    (error: unknown) => process.send?.({ id: question.id, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
await sleep(cluster.clock, 0)
process.send?.({ id: 0 })
