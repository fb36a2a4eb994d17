import { type KubeObject, kinds, type Node } from '@kerf/apis'
import {
  ControllerManager,
  type RecordedEvent,
  SeededRandom,
  SharedInformers,
  silentLogger,
  silentMetrics,
  VirtualClock,
} from '@kerf/runtime'
import { autoscalerOptions, ClusterAutoscaler, SandboxApi } from '@kerf/sandbox'
import { pod } from '@kerf/testing'
import { GROUP_LABEL } from '../real-autoscaler.ts'
import { groupNode, playSituation, prepareSituation } from './play-situation.ts'
import type { Situation, SituationFacts } from './situation.ts'

/** Runs the model of Cluster Autoscaler in a situation, in virtual time. Nodes are created as by its KWOK provider. */
export const playWithModel = async (situation: Situation): Promise<SituationFacts> => {
  const clock = new VirtualClock({ start: Date.parse('2026-08-22T09:00:00Z') })
  const random = new SeededRandom(1)
  const api = new SandboxApi({ clock, random: random.fork('api') })
  const client = api.client()
  const informers = new SharedInformers({
    client: api.client(),
    clock,
    random: random.fork('informers'),
    logger: silentLogger,
  })
  const events: RecordedEvent[] = []
  const stop = new AbortController()
  const nodesOf = (group: string): readonly Node[] =>
    [...informers.of(kinds.Node).values()].filter(({ metadata }) => metadata.labels?.[GROUP_LABEL] === group)
  const groups = situation.groups.map((group) => {
    let size = group.nodes ?? 0
    let made = 0
    return {
      name: group.name,
      min: group.min ?? 0,
      max: group.max,
      template: {
        labels: groupNode(situation, group.name, 'template').metadata.labels ?? {},
        taints: group.taints ?? [],
        capacity: { cpu: group.cpu, memory: group.memory, pods: '110' },
        allocatable: { cpu: group.cpu, memory: group.memory, pods: '110' },
        pods: [pod('kube-proxy', { requests: { cpu: '100m' } })],
      },
      get size() {
        return size
      },
      async grow(count: number) {
        for (let index = 0; index < count; index++) {
          const node = groupNode(situation, group.name, `${group.name}-new-${made++}`)
          const { status, ...rest } = node
          await client.create(kinds.Node, rest)
          await client.patch(
            kinds.Node,
            { name: node.metadata.name },
            { type: 'merge', body: { status } },
            { subresource: 'status' },
          )
          size++
        }
      },
      async shrink(name: string) {
        await client.delete(kinds.Node, { name })
        size--
      },
      isOwn: ({ metadata }: Node) => nodesOf(group.name).some((node) => node.metadata.name === metadata.name),
    }
  })
  const autoscaler = new ClusterAutoscaler(
    {
      client: api.client(),
      informers,
      clock,
      random: random.fork('autoscaler'),
      events: { publish: (event: RecordedEvent) => events.push(event) },
      logger: silentLogger,
    },
    groups,
    autoscalerOptions(situation.flags ?? {}),
  )
  const manager = new ControllerManager({
    clock,
    random: random.fork('manager'),
    logger: silentLogger,
    metrics: silentMetrics,
  })
  manager.add(autoscaler)
  const drive = <T>(work: Promise<T>): Promise<T> => clock.advanceUntilDone(work, 10)
  await drive(prepareSituation(situation, client, clock))
  informers.start(stop.signal)
  void manager.run({ stop: stop.signal })
  const asEvents = () =>
    events.map(({ object, reason, message }) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'event' },
      involvedObject: { kind: (object as KubeObject).kind, name: object.metadata.name },
      reason,
      message,
    }))
  try {
    return await drive(playSituation(situation, client, clock, async () => asEvents()))
  } finally {
    stop.abort()
  }
}
