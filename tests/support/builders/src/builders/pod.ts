import type { Container, OwnerReference, Pod, PodSpec, PodStatus, ResourceList } from '@kerf/apis'
import { type MetadataOptions, objectMetadata } from './metadata.ts'

/** The controller that owns a pod. Its name and uid default to `owner`. */
export type PodOwner = Pick<OwnerReference, 'apiVersion' | 'kind'> & Partial<OwnerReference>

export interface PodOptions extends MetadataOptions {
  /** Default: `default`. */
  readonly namespace?: string | undefined
  /** The resource requests of the only container. The default is one CPU. */
  readonly requests?: ResourceList | undefined
  /** Additional fields of the only container. */
  readonly container?: Readonly<Partial<Container>> | undefined
  /** The node to which the pod is bound. */
  readonly nodeName?: string | undefined
  readonly phase?: PodStatus['phase'] | undefined
  readonly owner?: PodOwner | undefined
  readonly spec?: Readonly<Partial<PodSpec>> | undefined
  readonly status?: Readonly<Partial<PodStatus>> | undefined
}

const unschedulable = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] } as const

/** Returns a pod with one container. If it has a node, it is running. Otherwise kube-scheduler has reported it as unschedulable. */
export const pod = (name: string, options: PodOptions = {}): Pod & { readonly status: PodStatus } => {
  const { namespace = 'default', owner } = options
  const nodeName = options.nodeName ?? options.spec?.nodeName
  const phase = options.phase ?? options.status?.phase ?? (nodeName === undefined ? 'Pending' : 'Running')
  const { metadata, ...described } = options
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: objectMetadata(name, {
      ...described,
      metadata: {
        namespace,
        ...(owner === undefined
          ? {}
          : { ownerReferences: [{ name: 'owner', uid: 'owner', controller: true, ...owner }] }),
        ...metadata,
      },
    }),
    spec: {
      containers: [
        {
          name: 'main',
          image: 'nginx',
          resources: { requests: options.requests ?? { cpu: '1' } },
          ...options.container,
        },
      ],
      ...(nodeName === undefined ? {} : { nodeName }),
      ...options.spec,
    },
    status: { phase, ...(nodeName === undefined ? unschedulable : {}), ...options.status },
  }
}
