import { kinds, type ResourceKind } from '@kerf/apis'
import type { ControlPlane } from '@kerf/control-plane'
import {
  findConnection,
  HttpKubeClient,
  isNotFound,
  type KubeClient,
  SystemClock,
  SystemRandom,
  silentLogger,
} from '@kerf/runtime'
import { RealAutoscaler, writeGroups } from '../real-autoscaler.ts'
import { groupNode, playSituation, prepareSituation } from './play-situation.ts'
import type { Situation, SituationFacts } from './situation.ts'

const REPLICA_SET = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  namespaced: true,
} as const

const emptied = async (client: KubeClient): Promise<void> => {
  const removed: readonly {
    readonly kind: ResourceKind
    readonly options: { readonly gracePeriodSeconds?: number }
  }[] = [
    { kind: kinds.Pod as ResourceKind, options: { gracePeriodSeconds: 0 } },
    { kind: REPLICA_SET, options: {} },
    { kind: kinds.PodDisruptionBudget as ResourceKind, options: {} },
    { kind: kinds.Event as ResourceKind, options: {} },
    { kind: kinds.Node as ResourceKind, options: {} },
  ]
  for (const { kind, options } of removed)
    for (const { metadata } of (await client.list(kind)).items)
      await client
        .delete(
          kind,
          metadata.namespace === undefined
            ? { name: metadata.name }
            : { name: metadata.name, namespace: metadata.namespace },
          options,
        )
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error
        })
  await client.delete(kinds.ConfigMap, { name: 'cluster-autoscaler-status', namespace: 'kube-system' }).catch(() => {})
}

/** Runs the real Cluster Autoscaler in a situation, on a real API server. Kills it at the end, so that it cannot clean up. */
export const playWithReal = async (
  situation: Situation,
  binary: string,
  plane: Pick<ControlPlane, 'kubeconfig'>,
): Promise<SituationFacts> => {
  const clock = new SystemClock()
  const connection = findConnection({ clock, env: {}, kubeconfig: plane.kubeconfig })
  const client = new HttpKubeClient({ connection, clock, random: new SystemRandom(), logger: silentLogger })
  await emptied(client)
  await writeGroups(
    client,
    situation.groups.map(({ name, min, max, nodes }) => ({
      min: min ?? 0,
      max,
      desired: Math.max(min ?? 0, nodes ?? 0),
      template: groupNode(situation, name, `template-${name}`),
    })),
  )
  await prepareSituation(situation, client, clock)
  const { server } = connection
  const autoscaler = await RealAutoscaler.start({
    binary,
    kubeconfig: plane.kubeconfig,
    server,
    flags: situation.flags ?? {},
    client,
    clock,
  })
  try {
    return await playSituation(situation, client, clock, async () => (await client.list(kinds.Event)).items)
  } finally {
    await autoscaler.kill()
    await client.close()
  }
}
