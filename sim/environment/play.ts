import { annotations, type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import type { Action, Fault } from '../runs/simulated-run.ts'
import type { Environment } from './environment.ts'

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
export const perform = async (environment: Environment, action: Action): Promise<void> => {
  const { admin } = environment
  const remove = (kind: ResourceKind, from: readonly KubeObject[], pick: number): Promise<void> => {
    const object = picked(from, pick)
    return object === undefined ? Promise.resolve() : tolerating(() => admin.delete(kind, refOf(object)))
  }
  const change = (kind: ResourceKind, name: string, body: object): Promise<void> =>
    tolerating(() =>
      admin.patch(kind, kind.namespaced ? { name, namespace: 'default' } : { name }, { type: 'merge', body }),
    )
  switch (action.kind) {
    case 'apply':
      return await tolerating(() => admin.create(environment.kindOf(action.object), action.object))
    case 'scale':
      return await change(kinds[action.workload], action.name, { spec: { replicas: action.replicas } })
    case 'delete-workload':
      return await tolerating(() => admin.delete(kinds.Deployment, { name: action.name, namespace: 'default' }))
    case 'delete-node':
      return await remove(kinds.Node, environment.nodes(), action.pick)
    case 'delete-claim':
      return await remove(karpenterKinds.NodeClaim, environment.claims(), action.pick)
    case 'delete-pod':
      return await remove(kinds.Pod, environment.pods(), action.pick)
    case 'cordon': {
      const node = picked(environment.nodes(), action.pick)
      if (node === undefined) return
      return await change(kinds.Node, node.metadata.name ?? '', { spec: { unschedulable: true } })
    }
    case 'change-pool':
      return await change(karpenterKinds.NodePool, action.name, { spec: action.spec })
    case 'change-pdb':
      return await change(kinds.PodDisruptionBudget, action.name, { spec: action.spec })
  }
}

const HELD = 'disks.csi.example/attacher'

/** Puts the attacher's finalizer on every disk that is attached, or takes it off. */
const holdDisks = async (environment: Environment, held: boolean): Promise<void> => {
  for (const { metadata } of environment.list(kinds.VolumeAttachment)) {
    const others = (metadata.finalizers ?? []).filter((each) => each !== HELD)
    const body = { metadata: { finalizers: held ? [...others, HELD] : others } }
    await tolerating(() =>
      environment.admin.patch(kinds.VolumeAttachment, { name: metadata.name ?? '' }, { type: 'merge', body }),
    )
  }
}

/** Lets a trouble begin; it ends by itself. */
export const injectFault = (environment: Environment, fault: Fault): void => {
  const { clock, cloud, leader } = environment
  switch (fault.kind) {
    case 'call':
      environment.calls.order(fault)
      return
    case 'cloud':
      environment.addCloudFault(fault)
      return
    case 'aws-call':
    case 'few-left':
    case 'seen-late':
    case 'empty-bucket':
    case 'queue-message':
      environment.injectAwsFault(fault)
      return
    case 'watch-lost': {
      if (fault.expired) environment.api.compact()
      const error = fault.expired
        ? new ApiError({ code: 410, reason: 'Expired', message: 'too old resource version' })
        : undefined
      leader.loseWatches(fault.plural, error)
      return
    }
    case 'watch-lag':
      leader.client.hold(fault.plural, fault.duration)
      return
    case 'outage': {
      cloud?.market.exhaust(fault.selector)
      environment.outages.stockOut(fault.selector)
      const restock = environment.aws?.stockOut(fault.selector)
      const isOver = environment.shortages.begin()
      clock.timer(fault.duration, () => {
        isOver()
        cloud?.market.restore(fault.selector)
        environment.outages.restock()
        restock?.()
      })
      return
    }
    case 'never-registers':
      environment.neverRegister += fault.count
      return
    case 'slow-detach':
      void holdDisks(environment, true)
      clock.timer(fault.duration, () => void holdDisks(environment, false))
      return
    case 'instance-dies': {
      environment.aws?.kill(fault.pick)
      const machine = picked(cloud?.instances() ?? [], fault.pick)
      if (machine === undefined) return
      environment.interrupted.add(machine.providerID)
      cloud?.kill(machine.id)
      return
    }
    case 'spot-notice': {
      environment.aws?.takeBack(fault.pick, 0, 1)
      const machine = picked(cloud?.instances().filter(({ capacityType }) => capacityType === 'spot') ?? [], fault.pick)
      if (machine === undefined) return
      environment.interrupted.add(machine.providerID)
      cloud?.interrupt({ id: machine.id })
      return
    }
    case 'sick-node': {
      const name = picked(environment.nodes(), fault.pick)?.metadata.name
      if (name === undefined) return
      environment.setHealth(name, fault.health)
      clock.timer(fault.duration, () => environment.setHealth(name, 'healthy'))
      return
    }
    case 'clock-jump': {
      const isOver = environment.clockSkews.begin()
      leader.clock.skew = fault.by
      clock.timer(fault.duration, () => {
        isOver()
        leader.clock.skew = 0
      })
      return
    }
    case 'hand-over':
      environment.handOver()
      return
    case 'lease-unreachable':
      leader.loseLease(fault.duration)
      return
    case 'second-instance':
      environment.startSecond(fault.duration)
      return
  }
}

/** Puts everything right that a person on call would: from here on the cluster has to come to rest by itself. */
export const recover = async (environment: Environment): Promise<void> => {
  environment.clearFaults()
  environment.cloud?.market.restore({})
  environment.outages.restock()
  await holdDisks(environment, false)
  for (const { metadata } of environment.nodes()) environment.setHealth(metadata.name ?? '', 'healthy')
  for (const { metadata } of environment.list(kinds.PodDisruptionBudget)) {
    const body = { spec: { maxUnavailable: 1 } }
    await tolerating(() =>
      environment.admin.patch(kinds.PodDisruptionBudget, refOf({ apiVersion: '', kind: '', metadata }), {
        type: 'merge',
        body,
      }),
    )
  }
  // Nodes that expire every few minutes never let a cluster come to rest.
  for (const { metadata, spec } of environment.nodePools()) {
    if (spec.template.spec.expireAfter === 'Never') continue
    const body = { spec: { template: { spec: { expireAfter: 'Never' } } } }
    await tolerating(() =>
      environment.admin.patch(karpenterKinds.NodePool, { name: metadata.name ?? '' }, { type: 'merge', body }),
    )
  }
  // Pods that must not be disrupted would keep a node that somebody deleted for ever.
  const open = { metadata: { annotations: { [annotations.doNotDisrupt]: null } } }
  for (const kind of [kinds.Deployment, kinds.StatefulSet] as const) {
    for (const { metadata } of environment.list<KubeObject>(kind)) {
      const ref = refOf({ apiVersion: '', kind: '', metadata })
      await tolerating(() => environment.admin.patch(kind, ref, { type: 'merge', body: { spec: { template: open } } }))
    }
  }
  for (const pod of environment.pods()) {
    if (pod.metadata.annotations?.[annotations.doNotDisrupt] === undefined) continue
    await tolerating(() => environment.admin.patch(kinds.Pod, refOf(pod), { type: 'merge', body: open }))
  }
}
