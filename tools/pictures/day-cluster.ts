import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { karpenterKinds, kinds, noVocabulary } from '@kerf/apis'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { defaultFeatureGates, SeededRandom, silentLogger, VirtualClock } from '@kerf/runtime'
import { SandboxCluster, SandboxServer } from '@kerf/sandbox'
import type { Manifest } from '../../packages/cli/src/manifests/manifest.ts'
import { parseManifests } from '../../packages/cli/src/manifests/parse-manifests.ts'
import { Session } from '../../packages/cli/src/up/session.ts'
import { makeDeployment, replicasAt, stuckPods, workloads } from './workloads.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The interval between two scrapes of the metrics. */
const SCRAPE = 2 * MINUTE
/** The interval between two changes of the workloads' replicas. */
const SCALE = 30 * MINUTE
/** The age, at the end of the day, of the pods that cannot run. */
const STUCK = 3 * HOUR
/** The age, at the end of the day, of the pods that exceed the limit of the `payments` NodePool. */
const RUSH = 9 * MINUTE
/** The replicas of the workload `checkout` at the load peak. They exceed the limit of the `payments` NodePool. */
const RUSH_REPLICAS = 97
/** The time between the end of the last report and the end of the day. During this time, the node of the report is empty. */
const REPORT_DONE = MINUTE
/** The hour at which the day ends. In the afternoon, the cluster is largest. */
const LAST_HOUR = 15

/** The controller's metrics at one time, in Prometheus' text format. */
export interface Scrape {
  /** The time of the scrape, in milliseconds. */
  readonly at: number
  readonly text: string
}

/** A cluster after a simulated day. Its clock is stopped. */
export interface DayCluster {
  readonly client: SandboxCluster['client']
  readonly session: Session
  /** The time at which the clock was stopped, in milliseconds. */
  readonly end: number
  readonly kubeconfig: string
  readonly scrapes: readonly Scrape[]
  /** The latest decisions of Kerf as text. */
  readonly log: readonly string[]
  close(): Promise<void>
}

/** Returns a cron schedule that runs daily at the hour and minute of this time, in UTC. */
const dailyAt = (time: number): string => {
  const date = new Date(time)
  return `${date.getUTCMinutes()} ${date.getUTCHours()} * * *`
}

const manifest = (object: Manifest['object']): Manifest => ({ object, file: 'tools/pictures', line: 0 })

/**
 * Opens a sandbox cluster in which Kerf has run for 24 hours of virtual time. The simulated day ends at `end`. Workloads follow the time of
 * day, and a load peak exceeds the limit of a NodePool. Another NodePool was just edited, so its nodes drift. The cluster also contains a
 * disruption budget of zero nodes, an empty node, and pods that cannot run. Calls `progress` after each hour.
 */
export const openDayCluster = async (end: number, progress: (line: string) => void): Promise<DayCluster> => {
  const clock = new VirtualClock({ start: end - DAY })
  const random = new SeededRandom(1)
  const cluster = new SandboxCluster({ clock, random: random.fork('sandbox') })
  await cluster.start()
  const directory = await mkdtemp(join(tmpdir(), 'kerf-pictures-'))
  const { signal } = new AbortController()
  const log: string[] = []
  const session = new Session({
    cluster: {
      ...{ name: 'pictures', clock, random: random.fork('kerf'), client: cluster.api.client() },
      ...{ kubeconfig: join(directory, 'kubeconfig'), disposable: true, playsKubelets: true },
      close: async () => {},
    },
    logger: silentLogger,
    instanceTypes: await loadInstanceTypes(),
    labels: noVocabulary,
    featureGates: defaultFeatureGates,
    onDecision: (line) => void log.push(line),
  })
  const driven = <T>(work: Promise<T>): Promise<T> => clock.advanceUntilDone(work, 100)
  await driven(session.prepare(signal))
  session.start()
  const file = fileURLToPath(new URL('cluster.yaml', import.meta.url))
  const namespaces = [...new Set([...workloads.map(({ namespace }) => namespace), 'monitoring'])]
  await driven(
    session.apply(
      [
        ...namespaces.map((name) => manifest({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
        ...parseManifests(await readFile(file, 'utf8'), file),
        ...workloads.map((workload) => manifest(makeDeployment(workload, replicasAt(workload, LAST_HOUR)))),
      ],
      signal,
    ),
  )

  const scrapes: Scrape[] = []
  const began = clock.now()
  const scale = async (): Promise<void> => {
    const hour = LAST_HOUR + (clock.now() - began) / HOUR
    for (const workload of workloads) {
      const { name, namespace } = workload
      const body = { spec: { replicas: replicasAt(workload, hour) } }
      await cluster.client.patch(kinds.Deployment, { name, namespace }, { type: 'merge', body })
    }
  }
  const resize = (namespace: string, name: string, replicas: number): Promise<unknown> =>
    cluster.client.patch(kinds.Deployment, { name, namespace }, { type: 'merge', body: { spec: { replicas } } })
  const isClosed = { nodes: '0', reasons: ['Underutilized'], duration: '2h', schedule: dailyAt(end - 50 * MINUTE) }
  await cluster.client.patch(
    karpenterKinds.NodePool,
    { name: 'general' },
    { type: 'merge', body: { spec: { disruption: { budgets: [{ nodes: '10%' }, isClosed] } } } },
  )
  for (let at = 0; clock.now() < end - RUSH; at += SCRAPE) {
    if (at % SCALE === 0) await scale()
    if (at === DAY - 30 * MINUTE) await resize('data', 'reports', 1)
    if (at === DAY - STUCK) for (const pod of stuckPods) await cluster.client.create(kinds.Pod, pod as never)
    await clock.advance(Math.min(SCRAPE, end - clock.now()))
    scrapes.push({ at: clock.now(), text: await session.metrics() })
    if (at % (6 * HOUR) === 0) progress(`hour ${Math.round(at / HOUR)}: ${session.look().claims.length} nodes`)
  }
  await resize('payments', 'checkout', RUSH_REPLICAS)
  let isDone = false
  let isEdited = false
  while (clock.now() < end) {
    const left = end - clock.now()
    if (left <= 4 * MINUTE && !isEdited) {
      isEdited = true
      const label = { spec: { template: { metadata: { labels: { 'cost-centre': 'k-17' } } } } }
      const edit = { type: 'merge', body: label } as const
      await cluster.client.patch(karpenterKinds.NodePool, { name: 'payments' }, edit, { fieldManager: 'kubectl-edit' })
    }
    if (left <= REPORT_DONE && !isDone) {
      isDone = true
      await resize('data', 'reports', 0)
    }
    await clock.advance(Math.min(MINUTE, left))
    scrapes.push({ at: clock.now(), text: await session.metrics() })
  }

  const server = await SandboxServer.start(cluster.api)
  const kubeconfig = join(directory, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  return {
    ...{ client: cluster.client, session, end, kubeconfig, scrapes, log },
    close: async () => {
      await server.close()
      const stopped = session.stop()
      await driven(stopped)
      await cluster.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
