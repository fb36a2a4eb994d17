import type { ProviderContext } from '@kerf/provider-contract'
import { NodeClassStatus, nodeClassHashing } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import type { ComputeApi, ImageApi, NetworkApi } from '../../api/azure-api.ts'
import { ImageVersions } from '../../discovery/image-versions.ts'
import { KubernetesVersion } from '../../discovery/kubernetes-version.ts'
import { NODE_CLASS_FINALIZER, nodeClassHashAnnotations } from '../../names.ts'
import { type AKSNodeClass, aksNodeClassKind } from '../../node-class/aks-node-class.ts'
import { aksNodeClassConditions } from '../../node-class/conditions.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from '../../node-class/hash.ts'
import type { AzureSettings } from '../../settings/azure-settings.ts'
import { encryptionSetStep } from './encryption-set-step.ts'
import { imagesStep } from './images-step.ts'
import { kubernetesVersionStep } from './kubernetes-version-step.ts'
import { localDnsStep } from './local-dns-step.ts'
import { toStepCause } from './step.ts'
import { subnetStep } from './subnet-step.ts'

export interface AksNodeClassDeps {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'events'>
  readonly api: {
    readonly compute: Pick<ComputeApi, 'probeDiskEncryptionSet'>
    readonly network: Pick<NetworkApi, 'subnet'>
    readonly images: ImageApi
  }
  readonly settings: AzureSettings
  /** The namespace of AKS's maintenance window. Empty if unknown. */
  readonly namespace: string
  /** Called when a node class is gone. */
  readonly forget?: (name: string) => void
}

/** Returns the controllers that resolve AKSNodeClasses and maintain their hash (`providers/azure/docs/spec/azure.md#nodeclass-controllers`). */
export const aksNodeClassControllers = (deps: AksNodeClassDeps): readonly Controller[] => {
  const { context, api, settings, namespace, forget } = deps
  const { client, clock } = context
  const status = new NodeClassStatus<AKSNodeClass>({
    context,
    kind: aksNodeClassKind,
    conditions: aksNodeClassConditions,
    steps: [
      kubernetesVersionStep(new KubernetesVersion(client, clock)),
      imagesStep({ client, clock, settings, namespace, images: new ImageVersions(api.images, clock, settings) }),
      subnetStep(api.network, settings),
      encryptionSetStep(api.compute, clock, settings),
      localDnsStep({ client, settings }),
    ],
    causeOf: toStepCause,
    // Kerf creates nothing in Azure for a node class, but the NodeClaims of the class need it until they are gone.
    finalizer: { name: NODE_CLASS_FINALIZER, release: async () => undefined },
    ...(forget === undefined ? {} : { forget }),
  })
  return [
    status.controller(),
    nodeClassHashing<AKSNodeClass>({
      context,
      kind: aksNodeClassKind,
      annotations: nodeClassHashAnnotations,
      hash: { version: NODE_CLASS_HASH_VERSION, of: nodeClassHash },
    }),
  ]
}
