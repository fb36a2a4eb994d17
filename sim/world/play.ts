import { annotations, type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import type { Doing, Trouble } from '../course/course.ts'
import type { World } from './world.ts'

const picked = <T>(from: readonly T[], pick: number): T | undefined => from[pick % Math.max(1, from.length)]

/** Whatever is no longer there, or there already, needs no doing. */
const tolerating = async (act: () => Promise<unknown>): Promise<void> => {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 404 && error.code !== 409 && error.code !== 422)) throw error
  }
}

const refOf = ({ metadata }: KubeObject) => ({
  name: metadata.name ?? '',
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
})

/** Carries out what people do. */
export const doThis = async (world: World, doing: Doing): Promise<void> => {
  const { admin } = world
  const remove = (kind: ResourceKind, from: readonly KubeObject[], pick: number): Promise<void> => {
    const object = picked(from, pick)
    return object === undefined ? Promise.resolve() : tolerating(() => admin.delete(kind, refOf(object)))
  }
  const change = (kind: ResourceKind, name: string, body: object): Promise<void> =>
    tolerating(() =>
      admin.patch(kind, kind.namespaced ? { name, namespace: 'default' } : { name }, { type: 'merge', body }),
    )
  switch (doing.kind) {
    case 'apply':
      return await tolerating(() => admin.create(world.kindOf(doing.object), doing.object))
    case 'scale':
      return await change(kinds[doing.workload], doing.name, { spec: { replicas: doing.replicas } })
    case 'delete-workload':
      return await tolerating(() => admin.delete(kinds.Deployment, { name: doing.name, namespace: 'default' }))
    case 'delete-node':
      return await remove(kinds.Node, world.nodes(), doing.pick)
    case 'delete-claim':
      return await remove(karpenterKinds.NodeClaim, world.claims(), doing.pick)
    case 'delete-pod':
      return await remove(kinds.Pod, world.pods(), doing.pick)
    case 'cordon': {
      const node = picked(world.nodes(), doing.pick)
      if (node === undefined) return
      return await change(kinds.Node, node.metadata.name ?? '', { spec: { unschedulable: true } })
    }
    case 'change-pool':
      return await change(karpenterKinds.NodePool, doing.name, { spec: doing.spec })
    case 'change-pdb':
      return await change(kinds.PodDisruptionBudget, doing.name, { spec: doing.spec })
  }
}

const HELD = 'disks.csi.example/attacher'

/** Puts the attacher's finalizer on every disk that is attached, or takes it off. */
const holdDisks = async (world: World, held: boolean): Promise<void> => {
  for (const { metadata } of world.list(kinds.VolumeAttachment)) {
    const others = (metadata.finalizers ?? []).filter((each) => each !== HELD)
    const body = { metadata: { finalizers: held ? [...others, HELD] : others } }
    await tolerating(() =>
      world.admin.patch(kinds.VolumeAttachment, { name: metadata.name ?? '' }, { type: 'merge', body }),
    )
  }
}

/** Lets a trouble begin; it ends by itself. */
export const strike = (world: World, trouble: Trouble): void => {
  const { clock, cloud, leader } = world
  switch (trouble.kind) {
    case 'call':
      world.calls.order(trouble)
      return
    case 'cloud':
      world.orderCloud(trouble)
      return
    case 'aws-call':
    case 'few-left':
    case 'seen-late':
    case 'empty-bucket':
    case 'queue-message':
      world.strikeAws(trouble)
      return
    case 'watch-lost': {
      if (trouble.expired) world.api.compact()
      const error = trouble.expired
        ? new ApiError({ code: 410, reason: 'Expired', message: 'too old resource version' })
        : undefined
      leader.loseWatches(trouble.plural, error)
      return
    }
    case 'watch-lag':
      leader.client.hold(trouble.plural, trouble.span)
      return
    case 'outage': {
      cloud?.market.exhaust(trouble.selector)
      world.outages.stockOut(trouble.selector)
      const restock = world.aws?.stockOut(trouble.selector)
      const isOver = world.shortages.begin()
      clock.timer(trouble.span, () => {
        isOver()
        cloud?.market.restore(trouble.selector)
        world.outages.restock()
        restock?.()
      })
      return
    }
    case 'never-registers':
      world.neverRegister += trouble.count
      return
    case 'slow-detach':
      void holdDisks(world, true)
      clock.timer(trouble.span, () => void holdDisks(world, false))
      return
    case 'machine-dies': {
      world.aws?.kill(trouble.pick)
      const machine = picked(cloud?.instances() ?? [], trouble.pick)
      if (machine === undefined) return
      world.interrupted.add(machine.providerID)
      cloud?.kill(machine.id)
      return
    }
    case 'spot-notice': {
      world.aws?.takeBack(trouble.pick, 0, 1)
      const machine = picked(
        cloud?.instances().filter(({ capacityType }) => capacityType === 'spot') ?? [],
        trouble.pick,
      )
      if (machine === undefined) return
      world.interrupted.add(machine.providerID)
      cloud?.interrupt({ id: machine.id })
      return
    }
    case 'sick-node': {
      const name = picked(world.nodes(), trouble.pick)?.metadata.name
      if (name === undefined) return
      world.setHealth(name, trouble.health)
      clock.timer(trouble.span, () => world.setHealth(name, 'healthy'))
      return
    }
    case 'clock-jump': {
      const isOver = world.skews.begin()
      leader.clock.skew = trouble.by
      clock.timer(trouble.span, () => {
        isOver()
        leader.clock.skew = 0
      })
      return
    }
    case 'hand-over':
      world.handOver()
      return
    case 'lease-unreachable':
      leader.loseLease(trouble.span)
      return
    case 'second-instance':
      world.startSecond(trouble.span)
      return
  }
}

/** Puts everything right that a person on call would: from here on the cluster has to come to rest by itself. */
export const heal = async (world: World): Promise<void> => {
  world.clearTroubles()
  world.cloud?.market.restore({})
  world.outages.restock()
  await holdDisks(world, false)
  for (const { metadata } of world.nodes()) world.setHealth(metadata.name ?? '', 'healthy')
  for (const { metadata } of world.list(kinds.PodDisruptionBudget)) {
    const body = { spec: { maxUnavailable: 1 } }
    await tolerating(() =>
      world.admin.patch(kinds.PodDisruptionBudget, refOf({ apiVersion: '', kind: '', metadata }), {
        type: 'merge',
        body,
      }),
    )
  }
  // Nodes that expire every few minutes never let a cluster come to rest.
  for (const { metadata, spec } of world.nodePools()) {
    if (spec.template.spec.expireAfter === 'Never') continue
    const body = { spec: { template: { spec: { expireAfter: 'Never' } } } }
    await tolerating(() =>
      world.admin.patch(karpenterKinds.NodePool, { name: metadata.name ?? '' }, { type: 'merge', body }),
    )
  }
  // Pods that must not be disrupted would keep a node that somebody deleted for ever.
  const open = { metadata: { annotations: { [annotations.doNotDisrupt]: null } } }
  for (const kind of [kinds.Deployment, kinds.StatefulSet] as const) {
    for (const { metadata } of world.list<KubeObject>(kind)) {
      const ref = refOf({ apiVersion: '', kind: '', metadata })
      await tolerating(() => world.admin.patch(kind, ref, { type: 'merge', body: { spec: { template: open } } }))
    }
  }
  for (const pod of world.pods()) {
    if (pod.metadata.annotations?.[annotations.doNotDisrupt] === undefined) continue
    await tolerating(() => world.admin.patch(kinds.Pod, refOf(pod), { type: 'merge', body: open }))
  }
}
