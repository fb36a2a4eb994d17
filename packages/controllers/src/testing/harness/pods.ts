import { kinds, type Pod } from '@kerf/apis'
import { type PodOptions, pod } from '@kerf/testing'
import type { Harness } from './harness.ts'

/** Creates a pod that kube-scheduler has found no node for. */
export const createPendingPod = async (harness: Harness, name: string, options: PodOptions = {}): Promise<Pod> => {
  const { status, ...wanted } = pod(name, options)
  const created = await harness.put(kinds.Pod, wanted)
  return await harness.patch(kinds.Pod, created, { status }, 'status')
}

/** Creates pods that kube-scheduler has found no node for, named `PREFIX-0` and so on. */
export const createPendingPods = async (
  harness: Harness,
  count: number,
  options: PodOptions = {},
  prefix = 'pod',
): Promise<readonly Pod[]> => {
  const created: Pod[] = []
  for (let index = 0; index < count; index++)
    created.push(await createPendingPod(harness, `${prefix}-${index}`, options))
  return created
}

export const bindPod = async (harness: Harness, { metadata }: Pod, nodeName: string): Promise<void> => {
  await harness.admin.bind({ name: metadata.name, namespace: metadata.namespace ?? 'default' }, nodeName)
}

export interface PodOnOptions {
  /** The CPU request. Default: one CPU. */
  readonly cpu?: string
  readonly metadata?: Partial<Pod['metadata']>
  readonly spec?: Partial<Pod['spec']>
}

/** Creates a pod without an owner on the node. The pod takes a second to stop. */
export const createPodOn = async (
  harness: Harness,
  name: string,
  node: string,
  options: PodOnOptions = {},
): Promise<Pod> =>
  await harness.admin.create(kinds.Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', ...options.metadata },
    spec: {
      containers: [{ name: 'main', image: 'main', resources: { requests: { cpu: options.cpu ?? '1' } } }],
      terminationGracePeriodSeconds: 1,
      ...options.spec,
      nodeName: node,
    },
  })

/** Creates a pod without an owner on the node. The pod stops at once. */
export const createInstantPodOn = async (
  harness: Harness,
  name: string,
  node: string,
  options: PodOnOptions = {},
): Promise<Pod> =>
  await createPodOn(harness, name, node, { ...options, spec: { terminationGracePeriodSeconds: 0, ...options.spec } })
