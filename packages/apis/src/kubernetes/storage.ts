import type { NodeSelector } from './node.ts'
import type { KubeObject, LabelSelector, ResourceList } from './object.ts'

export interface PersistentVolumeClaim extends KubeObject {
  readonly spec: {
    readonly volumeName?: string
    readonly storageClassName?: string
    readonly accessModes?: readonly string[]
    readonly resources?: { readonly requests?: ResourceList }
    readonly selector?: LabelSelector
  }
  readonly status?: {
    readonly phase?: 'Pending' | 'Bound' | 'Lost'
    readonly capacity?: ResourceList
    readonly accessModes?: readonly string[]
  }
}

export interface PersistentVolume extends KubeObject {
  readonly spec: {
    readonly storageClassName?: string
    readonly csi?: { readonly driver: string; readonly volumeHandle?: string }
    readonly awsElasticBlockStore?: { readonly volumeID: string }
    readonly local?: { readonly path: string }
    readonly hostPath?: { readonly path: string }
    readonly nodeAffinity?: { readonly required?: NodeSelector }
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string }
    readonly capacity?: ResourceList
    readonly accessModes?: readonly string[]
    readonly persistentVolumeReclaimPolicy?: 'Delete' | 'Retain' | 'Recycle'
  }
  readonly status?: { readonly phase?: string }
}

export interface StorageClass extends KubeObject {
  readonly provisioner: string
  readonly reclaimPolicy?: 'Delete' | 'Retain'
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer'
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[]
  }[]
}

export interface CSINode extends KubeObject {
  readonly spec: {
    readonly drivers: readonly {
      readonly name: string
      readonly nodeID?: string
      readonly topologyKeys?: readonly string[]
      readonly allocatable?: { readonly count?: number }
    }[]
  }
}

export interface VolumeAttachment extends KubeObject {
  readonly spec: {
    readonly attacher: string
    readonly nodeName: string
    readonly source: { readonly persistentVolumeName?: string }
  }
  readonly status?: { readonly attached?: boolean }
}
