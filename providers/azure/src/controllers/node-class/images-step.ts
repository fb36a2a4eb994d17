import { isConditionTrue, labels } from '@kerf/apis'
import type { Clock, KubeClient } from '@kerf/runtime'
import { ApiError } from '@kerf/runtime'
import type { FoundImage, ImageVersions } from '../../discovery/image-versions.ts'
import { type MaintenanceWindow, readMaintenanceWindow } from '../../discovery/maintenance-window.ts'
import { type ClassTraits, classTraits, type NetworkSettings } from '../../instance-type/class-traits.ts'
import { HYPER_V_GENERATION_LABEL } from '../../label-names.ts'
import type { AKSNodeClass, AKSNodeClassStatus } from '../../node-class/aks-node-class.ts'
import { bad, good, MINUTE, type Step, type StepResult } from './step.ts'

const TYPE = 'ImagesReady'
const AGAIN = 5 * MINUTE

type StatusImage = NonNullable<AKSNodeClassStatus['images']>[number]

/** Returns an image in the form of the status. Requirements are sorted like upstream's: the shorter key first. */
const statusImage = ({ id, definition: { arch, generation } }: FoundImage): StatusImage => ({
  id,
  requirements: [
    { key: labels.arch, operator: 'In', values: [arch] },
    { key: HYPER_V_GENERATION_LABEL, operator: 'In', values: [generation] },
  ],
})

/** Returns the image ID without its version, in lower case, because Azure changes the case of IDs. */
const definitionOf = (id: string): string => id.replace(/\/versions\/[^/]*$/i, '').toLowerCase()

/** Returns the images in the order of preference. Images in use keep their version. Only a new image definition gets its newest version. */
const keptImages = (found: readonly StatusImage[], inUse: readonly StatusImage[]): readonly StatusImage[] => {
  const byDefinition = new Map(inUse.map((image) => [definitionOf(image.id), image]))
  return found.map((image) => byDefinition.get(definitionOf(image.id)) ?? image)
}

const isSame = (a: readonly StatusImage[], b: readonly StatusImage[]): boolean =>
  a.length === b.length && a.every(({ id }, index) => id === b[index]?.id)

const withoutImages = ({ fips }: ClassTraits, useSIG: boolean): StepResult => ({
  status: { images: [] },
  condition:
    fips && !useSIG
      ? bad(
          TYPE,
          'SIGRequiredForFIPS',
          'FIPS images exist only in the shared galleries of AKS; set USE_SIG=true with SIG_SUBSCRIPTION_ID, or spec.fipsMode to Disabled',
        )
      : bad(
          TYPE,
          'ImagesNotFound',
          'the gallery has no image for this node class in the location; check LOCATION, spec.imageFamily, spec.fipsMode and spec.security.trustedLaunch',
        ),
  again: AGAIN,
})

export interface ImagesStepDeps {
  readonly client: KubeClient
  readonly clock: Clock
  readonly images: ImageVersions
  readonly settings: NetworkSettings & { readonly useSIG: boolean }
  /** The namespace of AKS's maintenance window. Empty if unknown. */
  readonly namespace: string
}

/**
 * Resolves the images of nodes (`providers/azure/docs/spec/azure.md#nodeclass-controllers`). Uses newer images while the maintenance window
 * is open, and if the node class has no images yet. A window that Kerf cannot read counts as closed. Upstream reports an error instead. In
 * both cases, no node is replaced for a new image.
 */
export const imagesStep = ({ client, clock, images, settings, namespace }: ImagesStepDeps): Step => {
  const readWindow = async (signal: AbortSignal): Promise<MaintenanceWindow> => {
    try {
      return await readMaintenanceWindow(client, namespace, clock.now(), signal)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 403) throw error
      return {
        kind: 'unreadable',
        problem: `${error.message}; the role of the controller lacks get on ConfigMaps there`,
      }
    }
  }

  const newer = (
    found: readonly StatusImage[],
    inUse: readonly StatusImage[],
    window: MaintenanceWindow,
  ): StepResult => {
    switch (window.kind) {
      case 'none':
      case 'open':
        return { status: { images: [...found] }, condition: good(TYPE), again: AGAIN }
      case 'closed':
      case 'unreadable': {
        const kept = keptImages(found, inUse)
        const message =
          window.kind === 'unreadable'
            ? `the maintenance window is invalid, so newer images are not used: ${window.problem}`
            : isSame(kept, found)
              ? undefined
              : `newer images are used from ${window.start} to ${window.end}`
        return { status: { images: [...kept] }, condition: good(TYPE, message), again: AGAIN }
      }
    }
  }

  return {
    condition: TYPE,
    run: async (nodeClass: AKSNodeClass, signal) => {
      const version = nodeClass.status?.kubernetesVersion ?? ''
      if (version === '')
        return {
          condition: {
            ...{ type: TYPE, status: 'Unknown', reason: 'KubernetesVersionUnknown' },
            message: 'images depend on the Kubernetes version, which is not known yet',
          },
        }
      const traits = classTraits(nodeClass, settings)
      if (traits.fips && !settings.useSIG) return withoutImages(traits, settings.useSIG)
      const found = (await images.find(traits, version, signal)).map(statusImage)
      if (found.length === 0) return withoutImages(traits, settings.useSIG)
      const inUse = nodeClass.status?.images ?? []
      if (!isConditionTrue(nodeClass, TYPE) || inUse.length === 0)
        return { status: { images: found }, condition: good(TYPE), again: AGAIN }
      return newer(found, inUse, await readWindow(signal))
    },
  }
}
