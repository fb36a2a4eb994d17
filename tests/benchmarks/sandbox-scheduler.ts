/**
 * Measures how long the sandbox takes to fill a large cluster in virtual time. Prints the wall time in seconds and the memory of each
 * phase. Usage: node tests/benchmarks/sandbox-scheduler.ts [nodes] [pods] [deployments]
 */
import { type Deployment, kinds, type Node } from '@kerf/apis'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'

const [nodes = 5000, pods = 50_000, deployments = 100] = process.argv.slice(2).map(Number)
const clock = new VirtualClock()
const cluster = new SandboxCluster({ clock, random: new SeededRandom(1), events: false })

const phase = async (name: string, work: () => Promise<void>): Promise<void> => {
  const began = performance.now()
  await work()
  const seconds = (performance.now() - began) / 1000
  const { rss, heapUsed } = process.memoryUsage()
  const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`
  const attempts = cluster.scheduler?.attempts ?? 0
  console.log(
    `${name.padEnd(28)} ${seconds.toFixed(2).padStart(7)} s   rss ${mebibytes(rss)}, heap ${mebibytes(heapUsed)}, attempts ${attempts}`,
  )
}

const node = (index: number): Node => {
  const name = `node-${index}`
  const allocatable = { cpu: '16', memory: '64Gi', pods: '110' }
  const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': `zone-${index % 3}` }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: {},
    status: { allocatable, capacity: allocatable },
  }
}

/** Returns a Deployment. One of every five spreads its pods over zones, and one of every five has anti-affinity between its pods. */
const deployment = (index: number): Deployment => {
  const name = `app-${index}`
  const labelSelector = { matchLabels: { app: name } }
  const hostname = { topologyKey: 'kubernetes.io/hostname', labelSelector }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas: Math.floor(pods / deployments),
      selector: labelSelector,
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            {
              name: 'main',
              image: 'app',
              resources: { requests: { cpu: `${100 + (index % 7) * 100}m`, memory: '1Gi' } },
            },
          ],
          ...(index % 5 === 1 && {
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: 'topology.kubernetes.io/zone',
                whenUnsatisfiable: 'DoNotSchedule',
                labelSelector,
              },
            ],
          }),
          ...(index % 5 === 2 && {
            affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [hostname] } },
          }),
        },
      },
    },
  }
}

await cluster.start()
await phase(`${nodes} nodes ready`, async () => {
  for (let index = 0; index < nodes; index++) await cluster.client.create(kinds.Node, node(index))
  await clock.advance(5000)
})
await phase(`${pods} pods running`, async () => {
  for (let index = 0; index < deployments; index++) await cluster.client.create(kinds.Deployment, deployment(index))
  const running = (): number => {
    let count = 0
    for (const pod of cluster.informers.of(kinds.Pod).values()) if (pod.status?.phase === 'Running') count++
    return count
  }
  for (let second = 0; second < 600 && running() < Math.floor(pods / deployments) * deployments; second++) {
    await clock.advance(1000)
  }
  if (running() < Math.floor(pods / deployments) * deployments) throw new Error(`only ${running()} pods run`)
})
await phase('an hour of quiet', () => clock.advance(3_600_000))
await phase('a tenth of the nodes lost', async () => {
  for (let index = 0; index < nodes / 10; index++) await cluster.client.delete(kinds.Node, { name: `node-${index}` })
  await clock.advance(120_000)
})
await cluster.stop()
