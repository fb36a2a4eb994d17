import { type Condition, formatTime, isConditionTrue, kinds, type Lease, type Node, timeOf } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { type Controller, done, isNotFound, type Milliseconds, retryAfter, source } from '@kerf/runtime'
import { isOwnNode, terminatingSince } from '../instance-node.ts'
import { KUBELET_ANNOTATION } from '../labels.ts'
import type { KwokSettings } from '../settings.ts'
import { addressOf } from './address.ts'

const LEASE_NAMESPACE = 'kube-node-lease'
const LEASE_SECONDS = 40

/** Whether a kubelet runs on the node: not once its instance goes away, nor while somebody has it stopped. */
export const hasKubelet = (node: Node): boolean =>
  isOwnNode(node) &&
  terminatingSince(node) === undefined &&
  node.metadata.annotations?.[KUBELET_ANNOTATION] !== 'stopped'

/** Reports nodes as Ready, after the ready delay, and renews their Leases. */
export const nodeHeartbeat = ({ client, informers, clock }: ProviderContext, settings: KwokSettings): Controller => {
  const nodes = informers.of(kinds.Node)
  const renewed = new Map<string, Milliseconds>()

  const reportReady = async (node: Node, signal: AbortSignal): Promise<void> => {
    const name = node.metadata.name
    const body = { status: readyStatus(name, formatTime(clock.now())) }
    await client.patch(kinds.Node, { name }, { type: 'strategic', body }, { subresource: 'status', signal })
  }

  const renewLease = async (node: Node, signal: AbortSignal): Promise<void> => {
    const name = node.metadata.name
    const ref = { namespace: LEASE_NAMESPACE, name }
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: `${new Date(clock.now()).toISOString().slice(0, -1)}000Z`,
    }
    try {
      await client.patch(kinds.Lease, ref, { type: 'merge', body: { spec } }, { signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
      const lease: Lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {
          ...ref,
          ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid ?? '' }],
        },
        spec,
      }
      await client.create(kinds.Lease, lease, { signal })
    }
    renewed.set(name, clock.monotonic())
  }

  return {
    name: 'kwok.kubelet.node',
    sources: [source(nodes, ({ before, after }) => namesOf(after ?? before))],
    concurrency: 50,
    reconcile: async (name, signal) => {
      const node = nodes.get(name)
      if (node === undefined || !hasKubelet(node)) {
        renewed.delete(name)
        return done()
      }
      const wait = (timeOf(node.metadata.creationTimestamp) ?? 0) + settings.nodeReadyDelay - clock.now()
      if (wait > 0) return retryAfter(wait)
      try {
        if (!isConditionTrue(node, 'Ready')) await reportReady(node, signal)
        if (settings.heartbeatInterval <= 0) return done()
        const age = clock.monotonic() - (renewed.get(name) ?? Number.NEGATIVE_INFINITY)
        if (age < settings.heartbeatInterval) return retryAfter(settings.heartbeatInterval - age)
        await renewLease(node, signal)
        return retryAfter(settings.heartbeatInterval)
      } catch (error) {
        if (isNotFound(error)) return done()
        throw error
      }
    },
  }
}

const namesOf = (node: Node | undefined): readonly string[] =>
  node?.metadata.name === undefined ? [] : [node.metadata.name]

const readyStatus = (name: string, now: string): object => {
  const condition = (type: string, status: Condition['status'], reason: string, message: string): Condition => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  })
  return {
    phase: 'Running',
    conditions: [
      condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      condition('NetworkUnavailable', 'False', 'RouteCreated', 'simulated'),
    ],
    addresses: [{ type: 'InternalIP', address: addressOf(`node/${name}`) }],
  }
}
