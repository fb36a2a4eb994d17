import { groupVersion, type KubeObject, karpenterKinds } from '@kerf/apis'
import type { FieldConversion } from '@kerf/provider-contract'
import { fieldConversion } from '@kerf/provider-kit/migration'
import { nameOfWorkload, type Workload } from '../../doctor/workload.ts'
import { SIDE_LABEL, SIDE_TOLERATION } from './side.ts'

/** A Deployment of pods that only reserve capacity. */
export interface PauseWorkload {
  readonly workload: Workload
  /** The CapacityBuffer and PodTemplate that replace the Deployment. */
  readonly buffer: readonly KubeObject[]
  readonly conversion: FieldConversion
}

const isPauseImage = (image: string | undefined): boolean => /(^|\/)(pause|pause-amd64)(:|@|$)/.test(image ?? '')

/** Returns whether the pods only reserve capacity: every container runs the pause image. */
export const isPauseWorkload = ({ pod, kind }: Workload): boolean =>
  (kind === 'Deployment' || kind === 'ReplicaSet') &&
  pod.spec.containers.length > 0 &&
  pod.spec.containers.every(({ image }) => isPauseImage(image))

/** Returns a CapacityBuffer that replaces a workload of pause pods. */
export const bufferFor = (workload: Workload): PauseWorkload => {
  const { name, namespace, pod, replicas } = workload
  const [container] = pod.spec.containers
  const { nodeSelector, tolerations = [] } = pod.spec
  const template = {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name, namespace },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        nodeSelector: { ...nodeSelector, [SIDE_LABEL.key]: SIDE_LABEL.value },
        tolerations: [...tolerations, SIDE_TOLERATION],
        containers: [
          {
            name: 'room',
            image: 'registry.k8s.io/pause:3.10',
            resources: { requests: container?.resources?.requests ?? {} },
          },
        ],
      },
    },
  }
  const buffer = {
    apiVersion: groupVersion(karpenterKinds.CapacityBuffer),
    kind: 'CapacityBuffer',
    metadata: { name, namespace },
    spec: { podTemplateRef: { name }, replicas },
  }
  return {
    workload,
    buffer: [template as KubeObject, buffer],
    conversion: fieldConversion(nameOfWorkload(workload), 'workload', {
      to: `CapacityBuffer ${namespace}/${name}`,
      because: 'its pods only reserve capacity; needs the feature gate CapacityBuffer',
    }),
  }
}
